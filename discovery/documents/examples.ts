import { type Fault, fault, jsonPath } from '../../brand/profile/fault.ts';
import type { Answer, Brand } from '../../brand/retrieval/brand.ts';
import { isQuestion, type Tool } from '../../tools/tool.ts';
import { spoken } from '../../tools/words/language.ts';
import type { Example, Examples, Site } from './site.ts';

/** Questions of a profile that are tried. */
const MOST = 12;

type Asked = Pick<Brand, 'ask' | 'profile' | 'ready'>;

/**
 * The owner's questions with the answers that the service gives them. A question whose claim does not come first is no
 * example. They are asked once, when somebody needs them.
 * @param refused hears of each question that is no example
 */
export function createExamples(brand: Asked | undefined, refused: Refused = () => {}): Examples {
  let known: readonly Example[] = [];
  let checking: Promise<void> | undefined;
  const ask = async () => {
    // A page without examples is whole; what keeps questions from being answered is told where they are asked.
    known = await askAll(brand, refused).catch(() => []);
  };
  return { known: () => known, check: () => (checking ??= ask()) };
}

type Refused = (warning: Fault) => void;

async function askAll(brand: Asked | undefined, refused: Refused): Promise<Example[]> {
  const found: Example[] = [];
  await brand?.ready; // the table alone answers otherwise
  const { questions = [], language: own = 'es' } = brand?.profile ?? {};
  for (const [at, { text, claim_id: wanted, language = own }] of questions.slice(0, MOST).entries()) {
    const answer = await brand?.ask(text);
    const [first] = answer?.matches ?? [];
    if (answer && first?.claim_id === wanted)
      found.push({ text, language, claimId: wanted, category: first.category, answer });
    else refused(notShown(at, wanted, first?.claim_id));
  }
  return found;
}

const notShown = (index: number, wanted: string, first = '–'): Fault =>
  fault(jsonPath(['questions', index]), 'question_elsewhere', first, wanted);

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
  const { properties } = tool.listed().inputSchema;
  return Object.fromEntries(
    Object.entries(properties).map(([name, { examples }]) => [name, firstOf(examples)]),
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
