import * as z from 'zod';
import { Boundary, Metric, Proof } from '../brand/profile/schema.ts';
import { ServiceError } from './errors.ts';
import { QUERY } from './fields.ts';
import { BUCKETS, limitText } from './policies.ts';
import { isRecord } from './record.ts';
import { defineTool } from './tool.ts';

const Match = z.object({
  claim_id: z.string().meta({ description: 'Cite this id.' }),
  statement: z.string().meta({ description: 'The claim, verbatim from the signed profile.' }),
  category: z.string(),
  metric: Metric.optional().meta({ description: 'The figure behind the claim; absent where it has none.' }),
  boundary: Boundary.meta({
    description: 'Where the claim applies and where it does not. Honor both when composing an answer.',
  }),
  confidence: z.string(),
  similarity: z.number().min(0).max(1).meta({ description: 'Comparable between questions; below 0.4 is weak.' }),
  proofs: z.array(Proof).readonly().meta({ description: 'What backs the claim and how it can be checked.' }),
});

export const askBrand = defineTool({
  name: 'ask_brand',
  title: 'Ask the brand',
  describe: policies =>
    'Answers a question about this consultancy (services, results, prices, markets, conditions, partner program) ' +
    'with the five closest claims of its signed brand profile, verbatim: each with its boundary (applicable_for and ' +
    'not_applicable_for), its metric if it has one, proofs, and a similarity from 0 to 1 (below 0.4 is weak). ' +
    'Write the answer yourself within the boundaries, cite claim_id, and say so when nothing fits. ' +
    'Ask one topic a question, in Spanish or English. Not for general knowledge, other companies or contacting the team. ' +
    `Read-only, no side effects. Limit: ${limitText(BUCKETS.mcp, policies)}.`,
  input: z.strictObject({ query: QUERY }),
  output: z.object({ brand: z.string(), query: z.string(), matches: z.array(Match).readonly() }),
  errors: ['missing_query', 'validation_error', 'not_configured'],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  precheck: requireQuery,
  async handler({ query }, { brand }) {
    if (!brand) throw new ServiceError('not_configured');
    return brand.ask(query);
  },
});

/** A missing, empty or blank question has a code of its own. @throws ServiceError `missing_query` */
function requireQuery(input: unknown): void {
  if (!isRecord(input)) throw new ServiceError('missing_query');
  const { query } = input;
  const blank = typeof query === 'string' && query.trim() === '';
  if (query !== undefined && !blank) return;
  if (query === undefined && 'q' in input) throw new ServiceError('missing_query', { hint: 'Use query instead of q.' });
  throw new ServiceError('missing_query');
}
