import * as z from 'zod';
import { Boundary, Claim, Metric, Proof } from '../brand/profile/schema.ts';
import { isBlank } from '../brand/profile/visible.ts';
import { QueueFull } from '../brand/retrieval/brand.ts';
import { similarityMeaning } from '../brand/retrieval/similarity.ts';
import { ServiceError } from './errors.ts';
import { QUERY } from './fields.ts';
import { isRecord } from './object-schema.ts';
import { type BrandContext, defineTool } from './tool.ts';

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
  similarity: z.number().min(0).max(1).meta({
    description: 'How near the match is to the question. The description of `ask_brand` says how to read it.',
  }),
  proofs: z
    .array(Proof)
    .max(50)
    .readonly()
    .meta({ description: 'What backs the claim and how it can be checked.' }),
});

const AskResponse = z.object({
  brand: z.string().meta({ description: 'Name of the brand.' }),
  query: z.string().meta({ description: 'The question as used: trimmed.' }),
  matches: z
    .array(Match)
    .max(5)
    .readonly()
    .meta({ description: 'Most similar first; empty where no claim is likely to answer.' }),
  note: z.string().optional().meta({ description: 'Present only where the list is empty: what to do then.' }),
});

/**
 * The tool that answers a question with claims of the profile.
 * @example const tool = askBrand({ brand: 'Norte Claro', signed: true, mode: 'production', calibrated: true });
 */
export const askBrand = ({ brand, signed, calibrated = true }: Partial<BrandContext> = {}) =>
  defineTool({
    name: 'ask_brand',
    title: `Ask ${brand ?? 'the brand'}`,
    description:
      `Answers a question about ${brand ?? 'this brand'} (services, results, prices, conditions) ` +
      `with at most 5 claims of its ${signed ? 'signed ' : ''}brand profile, verbatim, with ` +
      'boundary, metric and proofs. ' +
      `${similarityMeaning(calibrated)} ` +
      '`confidence` is how sure the brand is of the claim. An empty list means that no claim ' +
      'answers, and `note` says what to do. ' +
      'No text is generated: write the answer within the boundaries; cite claim_id. ' +
      'One topic a question, in Spanish or English. Not for general knowledge, other companies ' +
      'or messages. Read-only.',
    when: `to answer a question about ${brand ?? 'this brand'} with claims it stands for`,
    schemas: ['AskRequest', 'AskResponse'],
    input: z.strictObject({ query: QUERY }),
    output: AskResponse,
    errors: ['missing_query', 'validation_error', 'not_configured'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    precheck: requireQuery,
    async handler({ query }, { brand, recordQuestion, origin }) {
      if (!brand) throw new ServiceError('not_configured', { logged: { setting: 'BRAND_FILE' } });
      const { clientHash: client, networkHash, isIpv6 } = origin;
      const asker = { client, network: isIpv6 ? networkHash : undefined };
      const answer = await brand.ask(query, asker).catch(refuseFullQueue);
      recordQuestion?.(answer.query);
      return answer;
    },
    body: answer => answer,
  });

/** @throws ServiceError `not_configured` for a full queue: the client can ask again in a second */
function refuseFullQueue(error: unknown): never {
  if (!(error instanceof QueueFull)) throw error;
  throw new ServiceError('not_configured', {
    message: 'Too many questions are waiting.',
    hint: 'Wait the seconds given in Retry-After, then ask again.',
    retryAfterSeconds: 1,
    logged: { queue: 'full' },
  });
}

/** @throws ServiceError `missing_query` for a missing, empty or blank question */
function requireQuery(input: unknown): void {
  const { query, q }: Readonly<Record<string, unknown>> = isRecord(input) ? input : {};
  const isMissing = query == null || (typeof query === 'string' && isBlank(query));
  if (!isMissing) return;
  const isMisnamed = query === undefined && q !== undefined;
  throw new ServiceError('missing_query', isMisnamed ? { hint: 'Use query instead of q.' } : {});
}
