import * as z from 'zod';

const number = z.number();

const Speed = z.object({
  date: z.string(),
  machine: z.string(),
  rounds: number,
  seconds: number,
  connections: number,
  residentMb: number,
  starts: z.array(z.object({ name: z.string(), ms: number, mb: number })),
  rows: z.array(z.object({ name: z.string(), perSecond: number })),
});

/** bench/results/speed.json as two paragraphs: answers a second, with their conditions, and starts. */
export function speedText(json: string): string {
  const { starts, rows, rounds, seconds, connections, date, machine, residentMb } = Speed.parse(
    JSON.parse(json),
  );
  const perSecond = new Map(rows.map(row => [row.name, row.perSecond]));
  const questions = (path: string) =>
    `${path} answers ${perSecond.get(`${path}, distinct`)} new or ${perSecond.get(`${path}, repeated`)} repeated questions a second`;
  const answers = [
    `${questions('GET /ask')}. ${questions('tools/call')}; the SDK's own server ${perSecond.get('SDK v1')}.`,
    `Bare node:http sends a ready answer ${perSecond.get('ready answer')} times.`,
    `Medians of ${rounds} rounds of ${seconds} s, ${connections} connections, load on the same machine:`,
    `${machine}, ${date}. Memory afterwards: ${residentMb} MB.`,
  ];
  const times = starts.map(({ name, ms }) => `${name} ${ms} ms`);
  return `${answers.join(' ')}\n\nFrom the start of a process: ${times.join(', ')}.`;
}
