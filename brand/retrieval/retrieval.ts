import { chanceOfAny, type Evidence, shareOut } from './chance.ts';
import { ALL_TEXTS } from './columns.ts';
import { createContentTest } from './content.ts';
import { type EncodedOptions, encodeTexts } from './encoded-texts.ts';
import type { KnownTexts } from './known-texts.ts';
import { createLexicalIndex } from './lexical.ts';
import { readMeanings, weightsOf } from './meanings.ts';
import { createPacer, type Pace } from './pacer.ts';
import type { RetrievalModel } from './retrieval-model.ts';
import type { SearchText } from './search-text.ts';
import { createCandidates, largest, type VectorIndexOptions } from './vector-index.ts';

/** How well one text answers a question. */
export interface Scored {
  /** Position of the text in what the retrieval was created from. */
  readonly index: number;
  /** Weighted sum of the dense and the expansion score: the product of one vector. */
  readonly meaning: number;
  /** Late interaction, 0..1; 0 where the model has no token rows. */
  readonly late: number;
  /** Character n-gram BM25, 0 to about 1. */
  readonly lexical: number;
  /** Cosine of the encoder's vectors; 0 without an encoder. */
  readonly cosine: number;
  /** Weighted sum of all. */
  readonly score: number;
  /** 0..1: the chance that this text is the right one (similarity.ts); in the order of the scores. */
  readonly similarity: number;
}

export interface Ranking extends Evidence {
  /** Best first, ties by index. */
  readonly scored: readonly Scored[];
  /** 0..1: the chance that any text answers. The similarities of all texts add up to it. */
  readonly some: number;
}

export interface Retrieval {
  /** How far the bank has a say, 0..1. */
  readonly gate: number;
  /**
   * The best `count` texts for a question.
   * @param asker names the client: where the encoder is busy, whoever has used it least comes first
   * @throws EncoderBusy
   */
  search(query: string, count: number, asker?: string): Promise<Ranking>;
  /** Whether the question asks about anything (content.ts). */
  hasContent(query: string): boolean;
}

export interface RetrievalInput extends RetrievalModel, EncodedOptions {
  /** Whose texts they are. */
  readonly name?: string;
  readonly texts: readonly SearchText[];
  readonly index?: VectorIndexOptions;
  /** Kept between two creations while texts are written. */
  readonly known?: KnownTexts;
}

/**
 * Ranks texts by meaning and wording as model/README.md defines it: weighs dense, expansion, late and lexical scores, then sets
 * the sum against the next best and the question's own level of meaningless similarity.
 * @throws whatever the embedder throws on a text.
 */
export async function createRetrieval(input: RetrievalInput): Promise<Retrieval> {
  const { embedder, parameters, note } = input;
  const { weight = 0, calibration = parameters.calibration } = input.encoder ?? {};
  const texts = input.texts.map(({ text }) => text);
  const weights = weightsOf(input);
  const encoding = input.encoder && encodeTexts(input.encoder, texts, input);
  encoding?.catch(() => {}); // heard below, after what happens meanwhile
  const startPace = createPacer();
  const paceOf = (step: string): Pace => {
    const pace = startPace();
    const of = 2 * texts.length; // each step goes over the texts twice
    let done = 0;
    return () => {
      done += 1;
      const turn = pace();
      if (texts.length > ALL_TEXTS && (turn || done === of)) input.progress?.(step, done, of);
      return turn;
    };
  };
  const { vectors, reader, gate } = await readMeanings(input, weights, { startPace, expanding: paceOf('expanding') });
  const lexicalIndex = await createLexicalIndex(texts, parameters.bm25, paceOf('weighing words'), input.known?.grams);
  const encoded = await encoding;
  const candidatesOf = await createCandidates(encoded?.vectors ?? vectors, {
    note,
    pace: paceOf('indexing'),
    ...input.index,
  });
  // Exact search goes over the texts once: it has nothing to build.
  if (texts.length > ALL_TEXTS) input.progress?.('indexing', 2 * texts.length, 2 * texts.length);
  return {
    gate,
    hasContent: createContentTest(input.name ?? '', embedder.tokens, lexicalIndex.occurs),
    async search(query, count, asker = '') {
      const [{ length, level, vector, meet }, asked] = await Promise.all([
        reader.read(query, asker),
        encoded?.ask(query, asker),
      ]);
      const lexical = lexicalIndex.search(query);
      const candidates = candidatesOf(asked?.vector ?? vector, lexical);
      const { meaning, late } = await meet(candidates);
      const cosines = candidates.map(index => asked?.cosine(index) ?? 0);
      const scores = candidates.map(
        (index, at) =>
          meaning[at]! + weights.late * late[at]! + weights.lexical * lexical[index]! + weight * cosines[at]!,
      );
      const ranked = largest(scores, Math.max(count, 1 + calibration.rivals));
      const [best = 0, ...others] = ranked.map(at => scores[at]!);
      const rivals = meanOf(others.slice(0, calibration.rivals)) ?? best;
      const evidence = { best, rivals, length, level };
      const some = chanceOfAny(evidence, calibration);
      const similarities = shareOut(some, scores, calibration);
      const scored = ranked.slice(0, count).map((at): Scored => {
        const [index, score, similarity] = [candidates[at]!, scores[at]!, similarities[at]!];
        const parts = { meaning: meaning[at]!, late: late[at]!, lexical: lexical[index]!, cosine: cosines[at]! };
        return { index, ...parts, score, similarity };
      });
      return { scored, some, ...evidence };
    },
  };
}

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
