import { type Fault, fault, jsonPath } from '../brand/profile/fault.ts';
import { wordsOf } from '../brand/profile/folded-text.ts';
import type { Embedder } from '../brand/retrieval/embedder.ts';
import { dot } from '../brand/retrieval/vector.ts';
import type { Draft } from './draft.ts';
import { figuresIn } from './figures.ts';

/** Above this cosine, two statements of one language say the same with the bundled model; unlike ones stay below 0.6. */
const NEAR_DUPLICATE = 0.7;

/** Every pair is compared: 2,000 claims are 2 million pairs, about a second. */
const MAX_COMPARED = 2000;

/**
 * Claims that an earlier one nearly repeats, so that they take each other's place in answers, and those that give another figure
 * for the same thing. A profile of more than 2,000 claims is compared up to there.
 */
export async function duplicateWarnings({ claims, language }: Draft, embedder: Embedder): Promise<Fault[]> {
  const compared = claims.slice(0, MAX_COMPARED);
  const vectors = await embedder.embed(compared.map(({ part }) => part.statement));
  const said = compared.map(({ part: { statement } }) => ({
    words: new Set(wordsOf(statement).filter(word => word.length > 2 && !/\d/.test(word))),
    figures: figuresIn(statement, language).filter(({ vague }) => !vague),
  }));
  return compared.flatMap(({ at }, index) => {
    for (const [earlier, first] of compared.slice(0, index).entries()) {
      const [own, other] = [said[index], said[earlier]];
      const [a, b] = [vectors[index], vectors[earlier]];
      if (!own || !other || !a || !b || dot(a, b) < NEAR_DUPLICATE) continue;
      const code = likeness(own, other);
      if (code) return [fault(jsonPath(['claims', at, 'statement']), code, first.part.claim_id)];
    }
    return [];
  });
}

interface Said {
  readonly words: ReadonlySet<string>;
  readonly figures: ReturnType<typeof figuresIn>;
}

/** A price list says nearly the same of many things; only where no word tells the things apart does another figure matter. */
function likeness(one: Said, other: Said): 'near_duplicate' | 'rival_figures' | undefined {
  const [own, others] = arePriced(one, other) ? [priced(one), priced(other)] : [one.figures, other.figures];
  const readings = new Set(others.flatMap(figure => figure.readings));
  const agree = own.some(figure => figure.readings.some(reading => readings.has(reading)));
  if (agree || one.figures.length === 0 || other.figures.length === 0) return 'near_duplicate';
  const [fewer, more] = one.words.size < other.words.size ? [one.words, other.words] : [other.words, one.words];
  return [...fewer].every(word => more.has(word)) ? 'rival_figures' : undefined;
}

const priced = ({ figures }: Said) => figures.filter(({ unit }) => unit?.dimension === 'money');
/** Two slabs of 3 cm with two prices are two things. */
const arePriced = (one: Said, other: Said) => priced(one).length > 0 && priced(other).length > 0;
