import { LRUCache } from 'lru-cache';
import type { TokenTable } from './embedder.ts';
import { cosines, integerVector, rowVector } from './int8-rows.ts';
import type { RetrievalModel } from './model.ts';
import type { Parameters } from './parameters.ts';
import { unit } from './vector.ts';
import { largest } from './vector-index.ts';

/** What the embedder makes of a question. */
export interface Reading {
  /** ln(1 + number of tokens). */
  readonly length: number;
  /** Mean of its largest cosines with the background texts. */
  readonly level: number;
  /** Unit vector; zeros where no word is known. */
  readonly vector: Float32Array;
  /** Late interaction with the texts of these indices, 0..1; 0 where the model has no token rows. */
  late(texts: readonly number[]): Float32Array;
  /** Whether what a text excludes is nearer to the question than the rest of it. */
  isExcluded(text: number): boolean;
}

export type Reader = (query: string) => Promise<Reading>;

/** Up to here every text is scored, and what a token adds to each is kept; beyond, a question is compared with candidates. */
export const ALL_TEXTS = 512;

/** Different tokens of a question that count, the heaviest: more than people ask with, and each has its price. */
const MAX_TOKENS = 64;

/** Those that are compared with the tokens of candidates. */
const MAX_COMPARED = 6;

/** Numbers kept of tokens: some 7,000 tokens of a profile of 500 claims. */
const KEPT_NUMBERS = 4_000_000;

/** At this lead 148 of 1,000 boundary questions of unseen businesses are told from 9 of 1,000 others. */
const CLEAR_LEAD = 0.05;

/** Punctuation has meaning to a model too: alone it would find the claims that hold the same mark. */
const WORD = /[\p{L}\p{N}]/u;

/** A token against the texts. */
interface Column {
  readonly token: number;
  readonly weight: number;
  /** Weight × saturated cosine with each text; empty beyond `ALL_TEXTS`. */
  readonly late: Float32Array;
  /** The same with what a text excludes, less that with the rest of it. */
  readonly lead: Float32Array;
  /** Norm × cosine with each background text. */
  readonly near: Float32Array;
}

/** Reads questions with a table of tokens. @param texts their tokens, and how many at the end say what a text excludes */
export function createTokenReader(
  table: TokenTable,
  texts: readonly (readonly number[])[],
  { parameters, background, excluded = [] }: RetrievalModel & { readonly excluded?: readonly number[] },
): Reader {
  const isSmall = texts.length <= ALL_TEXTS;
  const partsOf = (index: number) => {
    const own = texts[index]!;
    const end = own.length - (excluded[index] ?? 0);
    return [own.slice(0, end), own.slice(end)];
  };
  const every = gatherTokens(isSmall ? texts.flatMap((_, index) => partsOf(index)) : []);
  const frequencies = isSmall ? undefined : countTexts(texts);
  const { epsilon } = parameters.late;
  const columns = new LRUCache<number, Column>({
    maxSize: KEPT_NUMBERS,
    sizeCalculation: ({ late, near }) => 2 * late.length + near.length + 50,
  });
  const columnOf = (token: number): Column => {
    const kept = columns.get(token);
    if (kept) return kept;
    const [rest, outside] = alternating(bestCosines(table, token, every));
    const best = rest.map((cosine, at) => Math.max(cosine, outside[at]!));
    const frequency = frequencies ? (frequencies.get(token) ?? 0) : softFrequency(best, parameters.late);
    const weight = table.norm(token) * Math.log(1 + (texts.length - frequency + 0.5) / (frequency + 0.5));
    const late = best.map(cosine => weight * saturated(cosine, epsilon));
    const lead = leadOf(weight, outside, rest, epsilon);
    const norm = table.norm(token);
    const near = cosines(rowVector(table.rows, token), background).map(cosine => norm * cosine);
    const column = { token, weight, late, lead, near };
    columns.set(token, column);
    return column;
  };
  return async query => {
    const tokens = WORD.test(query) ? heaviest(table.tokenize(query), MAX_TOKENS, table) : [];
    const vector = unit(table.sum(tokens));
    const asked = tokens.map(columnOf);
    return {
      length: Math.log(1 + tokens.length),
      level: levelOf(
        vector,
        background,
        parameters,
        sumOf(
          asked.map(({ near }) => near),
          background.count,
        ),
      ),
      vector,
      late(indices) {
        const sums = new Float32Array(indices.length);
        const compared = isSmall ? undefined : gatherTokens(indices.map(index => texts[index]!));
        let whole = 0;
        const few = isSmall ? asked : heaviest(tokens, MAX_COMPARED, table).map(columnOf);
        for (const { token, weight, late } of few) {
          whole += weight;
          const best = compared && bestCosines(table, token, compared);
          for (let at = 0; at < sums.length; at += 1) {
            sums[at]! += best ? weight * saturated(best[at]!, epsilon) : late[indices[at]!]!;
          }
        }
        return sums.map(sum => sum / (whole || 1));
      },
      isExcluded(index) {
        const parts = isSmall ? undefined : gatherTokens(partsOf(index));
        let [sum, whole] = [0, 0];
        for (const { token, weight, lead } of asked) {
          const [rest, outside] = parts ? alternating(bestCosines(table, token, parts)) : [];
          sum += rest && outside ? leadOf(weight, outside, rest, epsilon)[0]! : lead[index]!;
          whole += weight;
        }
        return sum > CLEAR_LEAD * whole;
      },
    };
  };
}

/** Numbers at even and at odd places. */
function alternating(numbers: Float32Array): [even: Float32Array, odd: Float32Array] {
  return [numbers.filter((_, at) => at % 2 === 0), numbers.filter((_, at) => at % 2 === 1)];
}

const leadOf = (weight: number, outside: Float32Array, rest: Float32Array, epsilon: number): Float32Array =>
  outside.map((cosine, at) => weight * (saturated(cosine, epsilon) - saturated(rest[at]!, epsilon)));

/** Reads by vectors alone: a transformer has no token rows. */
export function createVectorReader({ embedder, background, parameters }: RetrievalModel): Reader {
  return async query => {
    const [vector = new Float32Array(embedder.dims)] = WORD.test(query) ? await embedder.embed([query], 'query') : [];
    return {
      length: Math.log(1 + (query.match(/[\p{L}\p{N}]+/gu) ?? []).length),
      level: levelOf(vector, background, parameters),
      vector,
      late: indices => new Float32Array(indices.length),
      isExcluded: () => false,
    };
  };
}

/** @param roughly how near each background text is, if that is known */
function levelOf(
  vector: Float32Array,
  background: RetrievalModel['background'],
  { calibration }: Parameters,
  roughly?: Float32Array,
): number {
  const which = roughly && Uint32Array.from(largest(roughly, calibration.backgroundTop + 4));
  const near = cosines(integerVector(vector), background, which);
  const places = largest(near, calibration.backgroundTop);
  return places.reduce((sum, index) => sum + near[index]!, 0) / Math.max(places.length, 1);
}

function sumOf(parts: readonly Float32Array[], length: number): Float32Array {
  const [sum, nothing] = [new Float32Array(length), new Float32Array(length)];
  for (let place = 0; place < parts.length; place += 2) {
    const [one, other = nothing] = [parts[place]!, parts[place + 1]]; // Two at a time: the sum is read and written half as often.
    for (let at = 0; at < length; at += 1) sum[at]! += one[at]! + other[at]!;
  }
  return sum;
}

/** The tokens of a question without the lightest where there are too many different ones; repeated tokens stay repeated. */
function heaviest(tokens: number[], most: number, table: TokenTable): number[] {
  if (tokens.length <= most) return tokens;
  const different = [...new Set(tokens)];
  const norms = different.map(token => table.norm(token));
  const kept = new Set(largest(norms, most).map(index => different[index]));
  return tokens.filter(token => kept.has(token));
}

/** The tokens of some texts without repetition, and for each text the places of its tokens among them. */
interface TextTokens {
  readonly tokens: Uint32Array;
  readonly texts: readonly Uint32Array[];
}

function gatherTokens(texts: readonly (readonly number[])[]): TextTokens {
  const places = new Map<number, number>();
  const placeOf = (token: number): number => {
    const known = places.get(token);
    if (known !== undefined) return known;
    places.set(token, places.size);
    return places.size - 1;
  };
  const members = texts.map(tokens => Uint32Array.from(new Set(tokens), placeOf));
  return { tokens: Uint32Array.from(places.keys()), texts: members };
}

/**
 * Late interaction (Khattab and Zaharia, ColBERT, arXiv:2004.12832) for a model whose token vectors know no context:
 * per text the best cosine of its tokens with the given one, at least 0.
 */
function bestCosines({ rows }: TokenTable, token: number, { tokens, texts }: TextTokens): Float32Array {
  const cosine = cosines(rowVector(rows, token), rows, tokens);
  return Float32Array.from(texts, places => {
    let best = 0;
    for (const place of places) if (cosine[place]! > best) best = cosine[place]!;
    return best;
  });
}

/** In how many texts a token or one like it stands. */
function softFrequency(best: Float32Array, { from, to }: Parameters['late']): number {
  return best.reduce((sum, cosine) => sum + Math.min(Math.max((cosine - from) / (to - from), 0), 1), 0);
}

/** In how many texts each token stands: to look for tokens like it in thousands of texts would take too long. */
function countTexts(texts: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const tokens of texts) for (const token of new Set(tokens)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** A cosine of 0..1 as 0..1, the first steps counting most. */
function saturated(cosine: number, epsilon: number): number {
  return Math.log(1 + cosine / epsilon) / Math.log(1 + 1 / epsilon);
}
