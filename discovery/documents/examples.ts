import * as z from 'zod';
import type { Answer, Brand } from '../../brand/retrieval/brand.ts';
import { isQuestion, type Tool } from '../../tools/tool.ts';
import { messagesByTag } from '../../tools/words/language.ts';
import type { Site } from './site.ts';

/** A question from the profile with the answer of the service. */
export interface Example {
  readonly text: string;
  /** Language tag. */
  readonly language: string;
  readonly answer: Answer;
}

/** Most examples in each language. */
const EXAMPLES = 3;

/**
 * Asks the first questions of a profile, one a claim. A question that finds another claim is left out.
 * @throws Error when the model fails
 * @example const examples = await askExamples(brand);
 */
export async function askExamples(brand: Pick<Brand, 'ask' | 'profile'> | undefined): Promise<Example[]> {
  if (!brand) return [];
  const { questions = [], language: profileLanguage } = brand.profile;
  const examples: Example[] = [];
  for (const { text, claim_id: claimId, language = profileLanguage } of questions) {
    const inLanguage = examples.filter(
      example => messagesByTag(example.language) === messagesByTag(language),
    );
    if (inLanguage.length === EXAMPLES) continue;
    if (inLanguage.some(({ answer }) => answer.matches[0]?.claim_id === claimId)) continue;
    const answer = await brand.ask(text);
    if (answer.matches[0]?.claim_id === claimId) examples.push({ text, language, answer });
  }
  return examples;
}

/** The examples in the profile's language. An expired profile has none. */
export function profileExamples({ examples, profile, isExpired }: Site): readonly Example[] {
  if (isExpired()) return [];
  const profileMessages = messagesByTag(profile?.language);
  return examples.filter(({ language }) => messagesByTag(language) === profileMessages);
}

/** The example that documents show. */
const firstExample = (site: Site): Example | undefined => profileExamples(site)[0];

/** A question that the service answers, or `otherwise` if there is no example. */
export const exampleQuestion = (site: Site, otherwise: string): string =>
  firstExample(site)?.text ?? otherwise;

/**
 * Example arguments of a tool, in the brand's language. Undefined for a question without an example.
 * @example exampleArguments(tool, site); // { query: '¿Cuánto cuesta el diagnóstico?' }
 */
export function exampleArguments(tool: Tool, site: Site): Record<string, unknown> | undefined {
  if (isQuestion(tool)) {
    const example = firstExample(site);
    return example && { query: example.text };
  }
  const { properties = {} } = z.toJSONSchema(tool.input, { io: 'input' });
  const fields = Object.entries(properties);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, typeof field === 'object' ? field.examples?.[0] : undefined]),
  );
}

/** An example answer, with one match. Undefined for a question without an example. */
export function exampleResult(tool: Tool, site: Site): object | undefined {
  if (tool.submits) return tool.body({ reference: 'BCDF-1234', mode: site.mode, confirmation: 'delivered' });
  const answer = isQuestion(tool) ? firstExample(site)?.answer : undefined;
  return answer && { ...answer, matches: answer.matches.slice(0, 1) };
}
