import { foldedText } from '../profile/folded-text.ts';

const PREPOSITIONS = 'a|al|con|de|del|en|para|por|at|by|for|from|in|of|on|to|with';

/**
 * Takes a brand's names out of a question, with the preposition and the article before them: they say who is asked, and not
 * what. What is left is blank where the question is a name.
 */
export function createNameRemover(names: readonly string[]): (query: string) => string {
  const known = names.flatMap(
    name =>
      foldedText(name)
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' ') ?? [],
  );
  const longestFirst = known.toSorted((a, b) => b.length - a.length).map(accented);
  const name = `(?:${longestFirst.join('|')})`;
  const mentioned = new RegExp(name, 'iu');
  const named = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:(?:${PREPOSITIONS})\\s+)?(?:(?:el|la|los|las|the)\\s+)?${name}(?:['’]s)?(?![\\p{L}\\p{N}])`,
    'giu',
  );
  const remove = (query: string): string => {
    if (known.length === 0) return tidied(query);
    const spaced = query.normalize('NFD').replace(/\s+/g, ' '); // Runs of blanks cost the patterns below their square.
    return tidied(mentioned.test(spaced) ? spaced.replace(named, ' ') : query);
  };
  let last = { query: '', rest: '' };
  return query => {
    if (query !== last.query) last = { query, rest: remove(query) };
    return last.rest;
  };
}

/** A question in single blanks, none before a mark. */
export function tidied(query: string): string {
  const composed = query.normalize('NFC');
  if (!/[^\S ]|\s[\s?!.,;:]|^\s|\s$/.test(composed)) return composed;
  return composed
    .replace(/\s+/g, ' ')
    .replace(/ (?=[?!.,;:]|$)/gu, '')
    .trim();
}

/** A folded name as it may be written: with accents, and with other marks between its words. */
const accented = (name: string): string =>
  Array.from(name, letter => (letter === ' ' ? '[^\\p{L}\\p{N}]+' : `${letter}\\p{M}*`)).join('');

const ASKING =
  '(?:qué|quién(?:es)?|cuál(?:es)?|cu[aá]nt[oa]s?|cuándo|cómo|dónde|what|when|where|who|which|how|why)';
const CLAUSE = `(?:(?:${PREPOSITIONS}|hasta|desde)\\s+)?${ASKING}(?![\\p{L}])`;

/** A question that asks, then a joint, then another that asks. */
const TWO = new RegExp(
  `^(\\W*(?:${CLAUSE}|(?:can|could|did|do|does|has|have|is|are|will|would)\\b).*?|¿.*?)(?:,?\\s+(?:y|e|and)\\s+|\\?\\s*¿?(?:(?:y|and)\\s+)?)(${CLAUSE}.*)$`,
  'iu',
);

/** Word that asks and the next one, which is its verb or its unit: what follows is what the question is about. */
const ASKED = new RegExp(
  `^\\W*${CLAUSE}(?:\\s+(?:much|many|long|soon|often|early|far))?(?:\\s+[\\p{L}]+)?`,
  'iu',
);

/** Fewer words say too little of their own: `cuánto tarda` needs what the other question is about. */
const ENOUGH = 5;

/**
 * The question, and the two that it holds where interrogatives are joined (`¿Cuánto cuesta … y cuánto tarda?`). The whole is
 * asked as well: one claim often answers both.
 */
export function questionsIn(query: string): readonly [whole: string, ...parts: string[]] {
  const [, one, other] = TWO.exec(query) ?? [];
  if (one === undefined || other === undefined) return [query];
  return [query, completed(one, other), completed(other, one)];
}

function completed(question: string, other: string): string {
  const plain = bare(question);
  return plain.split(/\s+/).length >= ENOUGH ? plain : `${plain} ${bare(other).replace(ASKED, '').trim()}`;
}

const bare = (question: string): string => question.replace(/^\W*¿|[?!.\s]+$/gu, '').trim();
