import * as z from 'zod';

const number = z.number();

const Speed = z.object({
  date: z.string(),
  machine: z.string(),
  connections: number,
  residentMb: number,
  starts: z.array(z.object({ name: z.string(), ms: number })),
  rows: z.array(z.object({ name: z.string(), perSecond: number })),
});

/** bench/results/speed.json in three sentences: answers a second, a start, and the conditions. */
export function speedText(json: string): string {
  const result = Speed.parse(JSON.parse(json));
  const perSecond = new Map(result.rows.map(row => [row.name, row.perSecond]));
  const startMs = new Map(result.starts.map(({ name, ms }) => [name, ms]));
  const questions = (path: string) =>
    `${perSecond.get(`${path}, distinct`)} new or ${perSecond.get(`${path}, repeated`)} repeated questions`;
  return [
    `A second: ${questions('GET /ask')}; by tools/call ${questions('tools/call')},`,
    `by the SDK's own server ${perSecond.get('SDK v1')}. A start takes ${startMs.get('server listens')} ms,`,
    `with new claims ${startMs.get('server listens, no vectors kept')} ms, the server ${result.residentMb} MB.`,
    `${result.connections} connections, ${result.machine}, ${result.date}.`,
  ].join(' ');
}
