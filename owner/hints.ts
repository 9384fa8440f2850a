import { wordsOf } from '../brand/profile/folded-text.ts';
import type { Claim } from '../brand/profile/schema.ts';
import { isFunctionWord } from '../brand/retrieval/content.ts';
import { type Quantity, quantityAsked, quantityOf } from '../brand/retrieval/quantity.ts';
import type { Ranking } from '../brand/retrieval/retrieval.ts';
import { searchText } from '../brand/retrieval/search-text.ts';
import { FLOORS } from '../brand/retrieval/similarity.ts';
import type { Question } from './questions.ts';

/** Something that the measured questions show about the claims. Every member was counted, none was generated. */
export type Hint =
  /** A word of several questions that no claim has. */
  | {
      readonly kind: 'word';
      readonly word: string;
      readonly questions: readonly string[];
      readonly claims: readonly string[];
    }
  /** Two claims that take each other's questions. */
  | { readonly kind: 'rivals'; readonly claims: readonly [string, string]; readonly questions: readonly string[] }
  /** A kind of quantity that is asked for, and that the right claim does not state as a metric or figure. */
  | {
      readonly kind: 'quantity';
      readonly quantity: Quantity;
      readonly questions: readonly string[];
      readonly claims: readonly string[];
    }
  /** A question whose right claim came late or not at all. */
  | {
      readonly kind: 'missed';
      readonly questions: readonly [string];
      readonly claims: readonly string[];
      readonly came: string;
    };

/** A question of the owner's set with its ranking. */
export interface Ranked {
  readonly question: Question;
  readonly ranking: Ranking;
}

const SHOWN = 12;

/**
 * What to mend, most questions first: words of customers that no claim has, claims that compete, quantities that no claim says.
 * @param claims in the order of the ranking's indices
 */
export function hintsOf(ranked: readonly Ranked[], claims: readonly Claim[]): Hint[] {
  const hints = [...missingWords(ranked, claims), ...rivals(ranked, claims), ...quantities(ranked, claims)];
  const byWeight = hints.toSorted((a, b) => b.questions.length - a.questions.length);
  const covered = new Set(byWeight.flatMap(({ questions }) => questions));
  return [...byWeight.slice(0, SHOWN), ...misses(ranked, claims, covered).slice(0, SHOWN)];
}

/** The beginning of a word stands for its forms: "descuento" and "descuentos", "cancel" and "cancelled". */
const stem = (word: string) => (word.length > 5 ? word.slice(0, Math.max(5, word.length - 3)) : word);

/** Words of the questions that went wrong, in no claim. */
function missingWords(ranked: readonly Ranked[], claims: readonly Claim[]): Hint[] {
  const said = new Set(claims.flatMap(claim => wordsOf(`${searchText(claim).text} ${claim.category}`).map(stem)));
  const byWord = new Map<string, { word: string; asked: Ranked[] }>();
  for (const one of ranked.filter(({ question }) => question.relevant.length > 0)) {
    if (isRight(one, claims)) continue;
    for (const [key, word] of new Map(
      contentWords(one.question.query).map(word => [stem(wordsOf(word).join('')), word]),
    )) {
      if (said.has(key)) continue;
      const known = byWord.get(key) ?? { word, asked: [] };
      known.asked.push(one);
      byWord.set(key, known);
    }
  }
  return [...byWord.values()].map(({ word, asked }) => ({
    kind: 'word',
    word,
    questions: asked.map(({ question }) => question.query),
    claims: [...new Set(asked.flatMap(({ question }) => question.relevant))],
  }));
}

/** The folded words of a question as it writes them, with accents. */
function contentWords(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words
    .filter(word => word.length > 2 && !isFunctionWord(word) && !/^\p{N}+$/u.test(word))
    .flatMap(word => (wordsOf(word).length === 1 ? [word] : []));
}

const idAt = (claims: readonly Claim[], { ranking }: Ranked, place: number) =>
  claims[ranking.scored[place]?.index ?? -1]?.claim_id ?? '';

const isRight = (one: Ranked, claims: readonly Claim[]) => one.question.relevant.includes(idAt(claims, one, 0));

/** A second claim within this share of the first one's similarity competes with it. */
const CLOSE = 0.5;

function rivals(ranked: readonly Ranked[], claims: readonly Claim[]): Hint[] {
  const pairs = new Map<string, { claims: [string, string]; questions: string[] }>();
  for (const one of ranked.filter(({ question }) => question.relevant.length > 0)) {
    const { scored } = one.ranking;
    const [best = '', wanted = one.question.relevant[0] ?? ''] = isRight(one, claims)
      ? [idAt(claims, one, 0), idAt(claims, one, 1)]
      : [idAt(claims, one, 0)];
    const close = (scored[1]?.similarity ?? 0) >= CLOSE * (scored[0]?.similarity ?? 1);
    if (
      best === wanted ||
      wanted === '' ||
      (isRight(one, claims) && (!close || one.question.relevant.includes(wanted)))
    )
      continue;
    const pair: [string, string] = best < wanted ? [best, wanted] : [wanted, best];
    const known = pairs.get(pair.join(' ')) ?? { claims: pair, questions: [] };
    known.questions.push(one.question.query);
    pairs.set(pair.join(' '), known);
  }
  return [...pairs.values()].filter(({ questions }) => questions.length > 1).map(pair => ({ kind: 'rivals', ...pair }));
}

/** What each kind of quantity looks like in a statement without a metric. */
const SAID: Readonly<Record<Quantity, RegExp>> = {
  money: /[€$£]|\b(?:eur|usd|euros?|dollars?|d[oó]lares|pounds?|pesos|gratis|gratuit[oa]s?|free)\b/i,
  time: /\d+ ?(?:h|min)\b|\b(?:segundos?|minutos?|horas?|d[ií]as?|semanas?|mes|meses|a[nñ]os?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b/i,
  share: /%|\bpor ?ciento|\bpercent/i,
  count: /\d/,
};

function quantities(ranked: readonly Ranked[], claims: readonly Claim[]): Hint[] {
  const byId = new Map(claims.map(claim => [claim.claim_id, claim]));
  const says = (id: string, quantity: Quantity) => {
    const claim = byId.get(id);
    return (
      claim === undefined ||
      (claim.metric && quantityOf(claim.metric) === quantity) ||
      SAID[quantity].test(claim.statement)
    );
  };
  const groups = new Map<string, { quantity: Quantity; questions: string[]; claims: string[] }>();
  for (const { question, ranking } of ranked) {
    const quantity = quantityAsked(question.query);
    if (quantity === undefined) continue;
    // Without a right claim, what came first is what visitors get.
    const judged = question.relevant.length > 0 ? question.relevant : [];
    if (judged.length > 0 && judged.some(id => says(id, quantity))) continue;
    if (judged.length === 0 && ranking.some < FLOORS.some) continue;
    const key = `${quantity} ${judged.join(' ') || question.query}`;
    const known = groups.get(key) ?? { quantity, questions: [], claims: [...judged] };
    known.questions.push(question.query);
    groups.set(key, known);
  }
  return [...groups.values()].map(group => ({ kind: 'quantity', ...group }));
}

function misses(ranked: readonly Ranked[], claims: readonly Claim[], covered: ReadonlySet<string>): Hint[] {
  return ranked
    .filter(one => one.question.relevant.length > 0 && !isRight(one, claims) && !covered.has(one.question.query))
    .map(one => ({
      kind: 'missed',
      questions: [one.question.query],
      claims: one.question.relevant,
      came: idAt(claims, one, 0),
    }));
}

export interface FirstFigures {
  readonly answerable: number;
  readonly first: number;
  readonly inFive: number;
  readonly unanswerable: number;
  /** Questions that nothing answers, and that get no answer. */
  readonly honest: number;
}

/** How many questions find their claim first, and among the five of an answer; and how many of the others get none. */
export function figuresAtFive(ranked: readonly Ranked[], claims: readonly Claim[]): FirstFigures {
  const answerable = ranked.filter(({ question }) => question.relevant.length > 0);
  const others = ranked.filter(({ question }) => question.relevant.length === 0);
  const inFive = answerable.filter(({ question, ranking }) =>
    ranking.scored.slice(0, 5).some(({ index }) => question.relevant.includes(claims[index]?.claim_id ?? '')),
  );
  return {
    answerable: answerable.length,
    first: answerable.filter(one => isRight(one, claims)).length,
    inFive: inFive.length,
    unanswerable: others.length,
    honest: others.filter(({ ranking }) => ranking.some < FLOORS.some).length,
  };
}
