import { foldedText } from '../../brand/profile/folded-text.ts';
import type { Claim } from '../../brand/profile/schema.ts';
import type { Brand } from '../../brand/retrieval/brand.ts';
import { bandOf } from '../../brand/retrieval/similarity.ts';
import { LANGUAGES } from '../../tools/language/language.ts';
import type { Suggestion, Suggestions } from '../documents/site.ts';

/** Questions that are tried at most in one language. */
const MOST = 12;

type Asked = Pick<Brand, 'ask' | 'profile'>;

/** A question, and whether a claim is the one that should answer it. */
interface Candidate {
  readonly text: string;
  readonly language: string;
  readonly fits: (claim: Pick<Claim, 'claim_id' | 'category'>) => boolean;
}

/**
 * The questions that pages offer: the profile's own, else some that are made of its categories. Each was asked, and the
 * claim that should answer it came first as an answer; no two lead to the same claim.
 */
export function createSuggestions(brand: Asked | undefined): Suggestions {
  let known: readonly Suggestion[] = [];
  let checking: Promise<void> | undefined;
  return {
    known: () => known,
    check: () => {
      checking ??= check(brand).then(
        found => {
          known = found;
        },
        // A page without examples is whole; what keeps questions from being answered is told where they are asked.
        () => undefined,
      );
      return checking;
    },
  };
}

async function check(brand: Asked | undefined): Promise<Suggestion[]> {
  const found: Suggestion[] = [];
  for (const { text, language, fits } of brand ? candidates(brand.profile) : []) {
    const [first] = (await brand?.ask(text))?.matches ?? [];
    if (!first || bandOf(first.similarity) !== 'answers' || !fits(first)) continue;
    const isKnown = found.some(other => other.claimId === first.claim_id && other.language === language);
    if (!isKnown) found.push({ text, language, claimId: first.claim_id, category: first.category });
  }
  return found;
}

function candidates({ questions = [], claims, language }: Brand['profile']): Candidate[] {
  if (questions.length > 0) {
    const own = questions.map(({ text, claim_id, ...question }) => {
      return {
        text,
        language: question.language ?? language,
        fits: (claim: { claim_id: string }) => claim.claim_id === claim_id,
      };
    });
    return own.slice(0, MOST);
  }
  const spelled = spellings(claims);
  const categories = [...new Set(claims.map(({ category }) => category))].filter(category =>
    wordsOf(category).every(word => spelled.has(foldedText(word))),
  );
  return LANGUAGES.flatMap(({ tag, ask }) => {
    const general = ask.generic.map(text => ({ text, language: tag, fits: () => true }));
    if (!language.startsWith(tag)) return general;
    const about = categories.map(category => ({
      text: ask.about(topicOf(category, claims)),
      language: tag,
      fits: (claim: { category: string }) => claim.category === category,
    }));
    return [...general, ...about].slice(0, MOST);
  });
}

/**
 * A category as people write it: `distribucion-y-negociacion` → `distribución y negociación`. The claims tell where the accents
 * are; a word that no claim has keeps its letters.
 */
export function topicOf(category: string, claims: readonly Stated[]): string {
  const spelled = spellings(claims);
  return wordsOf(category)
    .map(word => spelled.get(foldedText(word)) ?? word)
    .join(' ');
}

type Stated = Pick<Claim, 'statement' | 'boundary'>;

const wordsOf = (category: string) => category.split(/[-_\s]+/).filter(word => word !== '');

const KNOWN = new WeakMap<readonly Stated[], ReadonlyMap<string, string>>();

/** The words of the claims by their letters without accents. */
function spellings(claims: readonly Stated[]): ReadonlyMap<string, string> {
  const known = KNOWN.get(claims);
  if (known) return known;
  const texts = claims.map(
    ({ statement, boundary }) => `${statement} ${boundary.applicable_for} ${boundary.not_applicable_for}`,
  );
  const words = texts.flatMap(text => text.toLowerCase().match(/\p{L}+/gu) ?? []);
  const spelled = new Map(words.map(word => [foldedText(word), word]));
  KNOWN.set(claims, spelled);
  return spelled;
}
