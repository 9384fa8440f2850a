import * as z from 'zod';
import { Boundary, Claim, Metric, Proof } from '../brand/profile/schema.ts';
import { topics } from './actions.ts';
import { ServiceError } from './errors.ts';
import { QUERY } from './fields.ts';
import { isRecord } from './record.ts';
import { defineTool } from './tool.ts';

const { claim_id, statement, category, confidence } = Claim.shape;

/** A claim in an answer, with its proofs and its similarity to the question. */
export const Match = z.object({
  claim_id: claim_id.meta({ description: 'Cite this id.' }),
  statement: statement.meta({ description: 'The claim, verbatim from the profile.' }),
  category,
  metric: Metric.optional().meta({ description: 'The figure behind the claim; absent where it has none.' }),
  boundary: Boundary.meta({
    description: 'Where the claim applies and where it does not. Honor both when composing an answer.',
  }),
  confidence,
  similarity: z.number().min(0).max(1).meta({ description: 'How likely it is right.' }),
  proofs: z.array(Proof).max(50).readonly().meta({ description: 'What backs the claim and how it can be checked.' }),
});

const AskResponse = z.object({
  brand: z.string().meta({ description: 'Name of the brand.' }),
  query: z.string().meta({ description: 'The question as used: trimmed.' }),
  matches: z.array(Match).max(5).readonly().meta({ description: 'Most similar first.' }),
  note: z
    .string()
    .optional()
    .meta({ description: 'Present only where no statement answers directly: says so, and what to do then.' }),
});

export const askBrand = defineTool({
  name: 'ask_brand',
  title: ({ brand = 'the brand' }) => `Ask ${brand}`,
  description: ({ brand = 'this brand', signed, actions }) =>
    `Answers a question about ${brand} (${topics(actions)}) ` +
    `with at most 5 claims of its ${signed ? 'signed ' : ''}brand profile, verbatim, with boundary, metric and proofs. ` +
    'Where `note` is present, no statement answers directly: say so, and call a near claim near. ' +
    'similarity: how well the claim fits; confidence: how sure the brand is of it. ' +
    'Write the answer within the boundaries; cite claim_id. ' +
    'One topic a question, in Spanish or English. Not for general knowledge, other companies or messages. ' +
    'Read-only.',
  operation: {
    tag: 'Questions',
    schemas: ['AskRequest', 'AskResponse'],
    purpose: () =>
      'Answers a question with the best matching claims of the brand profile, verbatim, with their proofs and ' +
      'boundaries; an empty list means that no claim answers. No text is generated: compose the answer, honor each ' +
      'boundary, cite `claim_id`. Read-only.',
  },
  input: z.strictObject({ query: QUERY }),
  output: AskResponse,
  errors: ['missing_query', 'validation_error', 'not_configured'],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  precheck: requireQuery,
  async handler({ query }, { brand, asked, origin }) {
    if (!brand) throw new ServiceError('not_configured', { logged: { setting: 'BRAND_FILE' } });
    const answer = await brand.ask(query, origin.asker?.() ?? { network: origin.clientHash });
    asked?.(answer, origin);
    return answer;
  },
  body: ({ boundarySpeaks: _, ...answer }) => answer,
});

/** @throws ServiceError `missing_query` for a missing, empty or blank question */
function requireQuery(input: unknown): void {
  if (!isRecord(input)) throw new ServiceError('missing_query');
  const { query } = input;
  const blank = typeof query === 'string' && query.trim() === '';
  if (query != null && !blank) return;
  if (query === undefined && 'q' in input) throw new ServiceError('missing_query', { hint: 'Use query instead of q.' });
  throw new ServiceError('missing_query');
}
