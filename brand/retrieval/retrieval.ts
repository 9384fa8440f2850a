import { setImmediate as turn } from 'node:timers/promises';
import { createExclusionTest } from './boundary.ts';
import { chanceOfAny, shareOut } from './chance.ts';
import { createContentTest } from './content.ts';
import type { TokenTable } from './embedder.ts';
import { readClaims } from './encoder.ts';
import { expand } from './expansion.ts';
import type { ReadingOptions } from './kept-vectors.ts';
import { createLexicalIndex } from './lexical.ts';
import { type Asker, NoPlace } from './line.ts';
import type { RetrievalModel } from './model.ts';
import { createNameRemover, questionsIn, tidied } from './question.ts';
import { joined, type Ranking, type Scored } from './ranking.ts';
import { createVectorReader } from './reader.ts';
import type { SearchText } from './search-text.ts';
import { ALL_TEXTS, createTokenReader } from './token-reader.ts';
import { asksAboutBrand, fuller } from './usual-questions.ts';
import { blend, dot, unit } from './vector.ts';
import { createVectorIndex, exactSearch, largest, type VectorIndex, type VectorIndexOptions } from './vector-index.ts';

export interface Retrieval {
  /** How far the bank has a say, 0..1. */
  readonly gate: number;
  /** Settles when the encoder has read all texts. @throws Error where it fails */
  readonly ready: Promise<void>;
  /**
   * The best `count` texts for a question, or for the two that it joins. Where the encoder has no place, the table answers alone.
   * @throws the signal's reason
   */
  search(query: string, count: number, asker?: Asker): Promise<Ranking>;
  /** Whether the question asks about anything (content.ts). */
  hasContent(query: string): boolean;
}

export interface RetrievalOptions extends Omit<ReadingOptions, 'progress'> {
  /** Told now and then how far each step is, where there are many texts. */
  readonly progress?: ((step: string, done: number, of: number) => void) | undefined;
  /** Lets the table answer alone until the encoder has read all texts. */
  readonly early?: boolean | undefined;
}

export interface RetrievalInput extends RetrievalModel, RetrievalOptions {
  /** Those of whose texts they are: they say nothing in a question. */
  readonly names?: readonly string[];
  readonly texts: readonly SearchText[];
  readonly index?: VectorIndexOptions;
}

/** Texts as the encoder reads them. */
interface Encoded {
  readonly vectors: readonly Float32Array[];
  readonly index: VectorIndex | undefined;
}

/** Texts scored beyond `ALL_TEXTS`: of the vector index, and as many of the lexical index. */
const NEAREST = 24;

/** Building an index of so many texts takes a few seconds. */
const SHOWN_FROM = 200;

/**
 * Ranks texts by meaning and wording as model/README.md defines it: weighs dense, expansion, late and lexical scores and the
 * encoder's cosine, then sets the sum against the next best and the question's own level of meaningless similarity.
 * @throws whatever the embedder throws on a text
 */
export async function createRetrieval(input: RetrievalInput): Promise<Retrieval> {
  const { embedder, parameters, encoder, note = () => {} } = input;
  const texts = input.texts.map(({ text }) => text);
  const isSmall = texts.length <= ALL_TEXTS;
  const told = (step: string) => (done: number) => {
    if (texts.length >= SHOWN_FROM) input.progress?.(step, done, texts.length);
  };
  const indexOf = async (vectors: readonly Float32Array[]) =>
    isSmall ? undefined : createVectorIndex(vectors, { note, ...input.index });

  let encoded: Encoded | undefined;
  const readAll = async () => {
    if (!encoder) return;
    const vectors = await readClaims(encoder, texts, { ...input, progress: told('reading') });
    encoded = { vectors, index: await indexOf(vectors) };
  };
  const ready = readAll();
  ready.catch(() => {}); // whoever waits for it hears it

  const { vectors, read, gate } = await readTexts(input, told('expanding'));
  const lexicalIndex = await createLexicalIndex(texts, parameters.bm25);
  const index = encoder ? undefined : await indexOf(vectors);
  if (!input.early) await ready;

  const every = texts.map((_, at) => at);
  const { weights } = parameters;
  const encode = async (query: string, asker?: Asker) =>
    encoded && query.trim() !== ''
      ? encoder?.ask(query, asker).catch(error => {
          asker?.signal?.throwIfAborted();
          if (!(error instanceof NoPlace)) note(`the table answers alone: ${error.message}`);
        })
      : undefined;
  const hasContent = createContentTest(embedder.tokens, lexicalIndex.occurs);
  const isInExclusion = await createExclusionTest(input.texts);
  const { names = [] } = input;
  const withoutNames = createNameRemover(names);
  /** A question that asks for nothing but the brand keeps its name, and one about the brand as a whole gets it: claims have it. */
  const unnamed = (query: string): string => {
    const [rest, whole] = [withoutNames(query), tidied(query)];
    if (names[0] !== undefined && asksAboutBrand(query, names)) return `${rest} ${names[0]}`;
    return fuller(rest === whole || hasContent(rest) ? rest : whole, names);
  };
  const rank = async (query: string, count: number, asker?: Asker): Promise<Ranking> => {
    const [asked, reading] = await Promise.all([encode(query, asker), read(query)]);
    const { length, level, vector, meaning: meaningOf, late: lateOf, isExcluded } = reading;
    const lexical = lexicalIndex.search(query);
    const nearest = (): readonly number[] => {
      if (isSmall) return every;
      const near =
        (asked ? encoded?.index?.search(asked, NEAREST) : index?.search(vector, NEAREST)) ??
        exactSearch(vectors, vector, NEAREST);
      const worded = largest(lexical, NEAREST).filter(at => lexical[at]! > 0);
      return [...new Set([...near, ...worded])].sort((a, b) => a - b);
    };
    const candidates = nearest();
    const { weight, calibration } = asked ? parameters.withEncoder : { weight: 0, calibration: parameters.calibration };
    const [meaning, late] = [meaningOf(candidates), lateOf(candidates)];
    const cosine = new Float32Array(candidates.length);
    const scores = new Float64Array(candidates.length);
    for (let at = 0; at < scores.length; at += 1) {
      const index = candidates[at]!;
      if (asked && encoded) cosine[at] = dot(asked, encoded.vectors[index]!);
      const worded = weights.late * late[at]! + weights.lexical * lexical[index]!;
      scores[at] = meaning[at]! + worded + weight * cosine[at]!;
    }
    const ranked = largest(scores, Math.max(count, 1 + calibration.rivals));
    const [best = 0, ...others] = ranked.map(at => scores[at]!);
    const next = others.slice(0, calibration.rivals);
    const rivals = next.length === 0 ? best : next.reduce((sum, score) => sum + score, 0) / next.length;
    const some = chanceOfAny({ best, rivals, length, level }, calibration);
    const similarities = shareOut(some, scores, calibration);
    const scored = ranked.slice(0, count).map(
      (at): Scored => ({
        index: candidates[at]!,
        meaning: meaning[at]!,
        late: late[at]!,
        lexical: lexical[candidates[at]!]!,
        cosine: cosine[at]!,
        score: scores[at]!,
        similarity: similarities[at]!,
      }),
    );
    const [first] = scored;
    const speaks = first !== undefined && (isExcluded(first.index) || isInExclusion(query, first.index));
    return { scored, some, isExcluded: speaks, encoded: asked !== undefined, best, rivals, length, level };
  };
  return {
    gate,
    ready,
    hasContent: query =>
      fuller(query, names) !== query || (hasContent(query) && /[\p{L}\p{N}]/u.test(withoutNames(query))),
    async search(query, count, asker) {
      const [whole, ...parts] = questionsIn(unnamed(query));
      const ranking = rank(whole, count, asker);
      if (parts.length === 0) return ranking;
      return joined(await Promise.all([ranking, ...parts.map(part => rank(part, count, asker))]), count);
    },
  };
}

/** Texts as the embedder reads them: dense and expansion vector of each, weighed and added, so that one product is both scores. */
async function readTexts(input: RetrievalInput, progress: (done: number) => void) {
  const { embedder, parameters } = input;
  const { tokens: table, dims } = embedder;
  const texts = input.texts.map(({ text }) => text);
  const tokens = table ? await tokenize(texts, table) : [];
  const dense = table ? tokens.map(ids => unit(table.sum(ids))) : await embedder.embed(texts);
  const heads = input.texts.map(({ head }) => head);
  const { vectors: expansions, gate } = await expand(heads, dense, input, { ...input, progress });
  const weights = parameters.weights;
  const denseWeight = table ? weights.dense : weights.dense + weights.late;
  const vectors = dense.map((vector, at) => {
    const both = [[denseWeight, vector] as const, [weights.expansion, expansions[at]!] as const];
    return blend(both, dims);
  });
  const excluded = table ? input.texts.map(text => table.tokenize(text.excluded ?? '').length) : [];
  const read = table
    ? createTokenReader({ table, texts: tokens, vectors, excluded }, input)
    : createVectorReader(vectors, input);
  return { vectors, gate, read };
}

async function tokenize(texts: readonly string[], table: TokenTable): Promise<number[][]> {
  const tokens: number[][] = [];
  for (const text of texts) {
    tokens.push(table.tokenize(text));
    await turn();
  }
  return tokens;
}
