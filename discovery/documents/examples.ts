import { askBrand } from '../../tools/ask-brand.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Site } from './site.ts';

/** What a person would type, in the language of the brand: the examples of the fields. */
export function exampleArguments(tool: Tool, { presentation }: Site): Record<string, unknown> {
  const { properties } = tool.describe(presentation).inputSchema;
  return Object.fromEntries(Object.entries(properties).map(([name, { examples }]) => [name, firstOf(examples)]));
}

const firstOf = (examples: unknown): unknown => (Array.isArray(examples) ? examples[0] : undefined);

/** A success of the tool; nothing where there is no profile to answer from. */
export function exampleResult(tool: Tool, site: Site): object | undefined {
  if (tool.name === askBrand.name) return exampleAnswer(site);
  const { mode } = site.presentation;
  if (tool.submits === undefined) return undefined;
  return tool.body({ reference: 'BCDF-1234', mode, confirmation: 'sent', team: site.brandName });
}

/** The claim that answers the example question, as it is answered. Its similarity is the one figure that is made up. */
function exampleAnswer({ brandName, profile, presentation: { question } }: Site): object | undefined {
  const asked = profile?.questions?.find(({ text }) => text === question)?.claim_id;
  const claim = profile?.claims.find(({ claim_id }, at) => (asked ? claim_id === asked : at === 0));
  if (!profile || !claim) return undefined;
  const { proof_ids, ...said } = claim;
  const proofs = profile.proofs.filter(({ proof_id }) => proof_ids.includes(proof_id));
  return { brand: brandName, query: question, matches: [{ ...said, similarity: 0.95, proofs }] };
}
