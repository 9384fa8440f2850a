import * as z from 'zod';

/** What every result of a benchmark says of itself (bench/rounds.ts). */
export const REPORT = {
  date: z.string(),
  machine: z.string(),
  rounds: z.number(),
  seconds: z.number(),
  connections: z.number(),
  resident: z.array(z.object({ requests: z.number(), mb: z.number() })),
};

type Report = z.output<z.ZodObject<typeof REPORT>>;

export function conditions({ rounds, seconds, connections, date, machine }: Report): string {
  return `Medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections; ${date}, ${machine}`;
}

/** @param requests what they are called */
export function residentText({ resident }: Report, requests: string): string {
  const counts = resident.map(point => point.requests.toLocaleString('en')).join(' / ');
  return `Resident memory after ${counts} ${requests}: ${resident.map(point => point.mb).join(' / ')} MB.`;
}
