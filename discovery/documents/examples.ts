import * as z from 'zod';
import type { Brand } from '../../brand/retrieval/brand.ts';
import { isQuestion, type Tool } from '../../tools/tool.ts';
import { messagesByTag } from '../../tools/words/language.ts';
import type { Example, Examples, Site } from './site.ts';

/** Suggestions in each language. */
const SUGGESTIONS = 3;

type AskableBrand = Pick<Brand, 'ask' | 'profile'>;

/**
 * The first questions of a profile, one a claim, with the answers that the service gives them. They are asked
 * when the first page or document needs them.
 */
export function createExamples(brand: AskableBrand | undefined): Examples {
  let examples: readonly Example[] = [];
  let loading: Promise<void> | undefined;
  const askAll = async () => {
    // A page without suggestions is complete. A visitor's own question reports why nothing is answered.
    if (brand) examples = await suggestionsOf(brand).catch(() => []);
  };
  return {
    list: () => examples,
    load() {
      loading ??= askAll();
      return loading;
    },
  };
}

async function suggestionsOf(brand: AskableBrand): Promise<Example[]> {
  const { questions = [], language: profileLanguage } = brand.profile;
  const suggestions: Example[] = [];
  for (const { text, claim_id: claimId, language = profileLanguage } of questions) {
    const inLanguage = suggestions.filter(
      suggestion => messagesByTag(suggestion.language) === messagesByTag(language),
    );
    if (inLanguage.length === SUGGESTIONS) continue;
    if (inLanguage.some(suggestion => suggestion.claimId === claimId)) continue;
    const answer = await brand.ask(text);
    const [best] = answer.matches;
    // Where another claim is the best match, the suggestion would show a visitor the wrong one.
    if (best?.claim_id !== claimId) continue;
    suggestions.push({ text, language, claimId, category: best.category, answer });
  }
  return suggestions;
}

/** The example of documents: the first in the language of the profile. An expired profile has none. */
function firstExample({ examples, profile, isExpired }: Site): Example | undefined {
  if (isExpired()) return undefined;
  const profileMessages = messagesByTag(profile?.language);
  return examples.list().find(({ language }) => messagesByTag(language) === profileMessages);
}

/**
 * What a person would type, in the language of the brand. Undefined for a question when there is no example.
 */
export function exampleArguments(tool: Tool, site: Site): Record<string, unknown> | undefined {
  if (isQuestion(tool)) {
    const example = firstExample(site);
    return example && { query: example.text };
  }
  const fields = Object.entries(tool.input.shape);
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const examples: unknown = z.globalRegistry.get(field)?.examples;
      return [name, Array.isArray(examples) ? examples[0] : undefined];
    }),
  );
}

/**
 * The body of a success, as the service answers it, with one match. Undefined for a question without an
 * example.
 */
export function exampleResult(tool: Tool, site: Site): object | undefined {
  if (!isQuestion(tool)) {
    return tool.submits && tool.body({ reference: 'BCDF-1234', mode: site.mode, confirmation: 'sent' });
  }
  const answer = firstExample(site)?.answer;
  return answer && { ...answer, matches: answer.matches.slice(0, 1) };
}
