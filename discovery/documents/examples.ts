import * as z from 'zod';
import type { Answer, Brand } from '../../brand/retrieval/brand.ts';
import { isQuestion, type Tool } from '../../tools/tool.ts';
import { spoken } from '../../tools/words/language.ts';
import type { Example, Examples, Site } from './site.ts';

/** Suggestions in each language. */
const SUGGESTIONS = 3;

type Asked = Pick<Brand, 'ask' | 'profile'>;

/**
 * The first questions of a profile, one a claim, with the answers that the service gives them. They are asked once, when somebody
 * needs them.
 */
export function createExamples(brand: Asked | undefined): Examples {
  let known: readonly Example[] = [];
  let checking: Promise<void> | undefined;
  const askAll = async () => {
    // A page without suggestions is whole; what keeps questions from being answered is told where they are asked.
    if (brand) known = await suggestionsOf(brand).catch(() => []);
  };
  return { known: () => known, check: () => (checking ??= askAll()) };
}

async function suggestionsOf(brand: Asked): Promise<Example[]> {
  const { questions = [], language: profileLanguage } = brand.profile;
  const suggestions: Example[] = [];
  for (const { text, claim_id: claimId, language = profileLanguage } of questions) {
    const inLanguage = suggestions.filter(known => spoken(known.language) === spoken(language));
    if (inLanguage.length === SUGGESTIONS) continue;
    if (inLanguage.some(known => known.claimId === claimId)) continue;
    const answer = await brand.ask(text);
    const [first] = answer.matches;
    // What another claim answers better would show a visitor the wrong one.
    if (first?.claim_id === claimId)
      suggestions.push({ text, language, claimId, category: first.category, answer });
  }
  return suggestions;
}

/** The example of documents: the first in the language of the profile. None of a profile that is not answered from. */
function firstExample({ examples, profile, isExpired }: Site): Example | undefined {
  if (isExpired()) return undefined;
  return examples.known().find(({ language }) => spoken(language) === spoken(profile?.language));
}

/** What a person would type, in the language of the brand; nothing for a tool of questions without an example. */
export function exampleArguments(tool: Tool, site: Site): Record<string, unknown> | undefined {
  if (isQuestion(tool)) {
    const example = firstExample(site);
    return example && { query: example.text };
  }
  const fields = Object.entries(tool.input.shape);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, firstOf(z.globalRegistry.get(field)?.examples)]),
  );
}

const firstOf = (examples: unknown): unknown => (Array.isArray(examples) ? examples[0] : undefined);

/** A success of the tool, as the service answers it; of a question with one of its matches. Nothing without an example. */
export function exampleResult(tool: Tool, site: Site): object | undefined {
  if (isQuestion(tool)) return shortened(firstExample(site)?.answer);
  return tool.submits && tool.body({ reference: 'BCDF-1234', mode: site.mode, confirmation: 'sent' });
}

const shortened = (answer: Answer | undefined): Answer | undefined =>
  answer && { ...answer, matches: answer.matches.slice(0, 1) };
