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
    words: wordsOf(statement).filter(word => word.length > 2 && !/\d/.test(word) && !COMMON.has(word)),
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
  /** Words that may tell one thing from another. */
  readonly words: readonly string[];
  readonly figures: Figures;
}
type Figures = ReturnType<typeof figuresIn>;

/**
 * Two claims of which each has a word that the other lacks speak of two things: a small dog and a medium one, Saturday and Sunday.
 * Of the others, another figure for one thing is the worse: 2.900 and 2.950 for one bathroom.
 */
function likeness(one: Said, other: Said): 'near_duplicate' | 'rival_figures' | undefined {
  if (hasOwnWord(one, other) && hasOwnWord(other, one)) return undefined;
  // Two slabs of 3 cm with two prices differ in the price; sessions of 30 and of 60 minutes are two things.
  const isPriced = [one, other].every(said => said.figures.some(isMoney));
  const pick = (isWanted: boolean) =>
    [one, other].map(({ figures }) => figures.filter(figure => !isPriced || isMoney(figure) === isWanted));
  if (isPriced && differ(pick(false))) return undefined;
  return differ(pick(true)) ? 'rival_figures' : 'near_duplicate';
}

const isMoney = ({ unit }: Figures[number]) => unit?.dimension === 'money';

/** Whether both say figures, and none is the same. */
function differ([own = [], others = []]: readonly Figures[]): boolean {
  const readings = new Set(others.flatMap(figure => figure.readings));
  return (
    own.length > 0 && others.length > 0 && !own.some(figure => figure.readings.some(one => readings.has(one)))
  );
}

const hasOwnWord = ({ words }: Said, other: Said) =>
  words.some(word => !other.words.some(known => isForm(word, known)));

/** "gratis" and "gratuito", "reforma" and "reformar": forms of one word begin alike. */
function isForm(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let common = 0;
  while (common < shorter && one[common] === other[common]) common += 1;
  if (common === shorter) return shorter >= 4 || Math.abs(one.length - other.length) <= 2;
  return common >= 4 && common / shorter > 0.6;
}

/** Words that tell no thing from another: articles, prepositions, and those that go with any price or hour. */
const COMMON = new Set(
  'los las del una uno con para por que tus sus nuestro nuestra nuestros nuestras cada como esta este son hay mas desde hasta cuesta cuestan vale valen precio the and for our with from are your costs cost price each'.split(
    ' ',
  ),
);
