import * as z from 'zod';
import { table } from '../discovery/documents/markdown.ts';

const Report = z.object({
  date: z.string(),
  machine: z.string(),
  rows: z.array(z.object({ encoder: z.string(), processes: z.string(), brands: z.number(), residentMb: z.number() })),
});

/** bench/results/many-brands.json: what a brand more costs in memory. */
export function manyBrandsTable(json: string): string {
  const { rows, ...run } = Report.parse(JSON.parse(json));
  const cells = rows.map(({ encoder, processes, brands, residentMb }) => [
    `\`ENCODER=${encoder}\``,
    processes,
    ...[brands, residentMb, Math.round(residentMb / brands)],
  ]);
  return [
    table(['Setting', 'Process', 'Brands', 'Memory, MB', 'MB a brand'], cells),
    '',
    `${run.date}, ${run.machine}.`,
  ].join('\n');
}
