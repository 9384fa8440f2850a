import * as z from 'zod';

/** bench/results/eval.json as tables, once the evaluation has written it. */
export function evalTable(json: string): string {
  return z.object({ markdown: z.string() }).parse(JSON.parse(json)).markdown;
}
