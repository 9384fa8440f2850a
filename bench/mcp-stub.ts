import * as z from 'zod';
import { Boundary, Metric, Proof } from '../brand/schema.ts';
import { exampleBrand } from '../test/support.ts';

/** What every server of the benchmark answers: retrieval is measured elsewhere, here the protocol around it. */
const [match] = (await (await exampleBrand()).ask('¿Cuánto cuesta el diagnóstico?')).matches;

/** One claim as the answer to any question; a new object each time, so that nothing is rendered once for all. */
export const answerTo = (query: string) => ({ brand: 'Norte Claro', query, matches: match ? [match] : [] });

export const NAME = 'ask_brand';
export const DESCRIPTION = 'Answers a question with claims of the brand profile.';

export const INPUT = { query: z.string().min(1).max(2000) };

export const OUTPUT = {
  brand: z.string(),
  query: z.string(),
  matches: z.array(
    z.object({
      claim_id: z.string(),
      statement: z.string(),
      category: z.string(),
      metric: Metric.optional(),
      boundary: Boundary,
      confidence: z.string(),
      similarity: z.number(),
      proofs: z.array(Proof),
    }),
  ),
};

/** The result of a call, as a user of an SDK writes it. */
export function resultOf(query: string) {
  const answer = answerTo(query);
  return { content: [{ type: 'text' as const, text: JSON.stringify(answer) }], structuredContent: answer };
}
