import { create, insert, search } from '@orama/orama';
import MiniSearch from 'minisearch';
import { loadProfile } from '../../brand/profile/profile.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import type { RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import { type SearchText, searchText } from '../../brand/retrieval/search-text.ts';
import { auc, mean, recallAt } from '../../owner/measure/measures.ts';
import { ROOT } from '../../test/support.ts';
import { median } from '../rounds.ts';
import { rankingFigures } from './asked.ts';
import { type Question, readQuestions } from './example-questions.ts';

/** One way of finding claims, on the example's claims and questions. */
export interface Compared {
  readonly name: string;
  readonly recall1: number;
  readonly recall5: number;
  /** Answerable against unanswerable questions, by the score of the best claim. */
  readonly auc: number;
  /** Median over all questions: asked for the first time, and again. */
  readonly firstMicroseconds: number;
  readonly microseconds: number;
}

interface Hit {
  readonly index: number;
  readonly score: number;
}

/** Best first. */
type Find = (query: string) => Promise<readonly Hit[]>;

/** The same claims and questions for each; their own defaults, with prefix and fuzzy search where the manual advises them. */
export async function compare({ both, alone }: Record<'both' | 'alone', RetrievalModel>): Promise<Compared[]> {
  const { profile } = await loadProfile(`${ROOT}examples/brand.json`);
  const ids = profile.claims.map(({ claim_id }) => claim_id);
  const texts = profile.claims.map(searchText);
  const questions = await readQuestions(`${ROOT}examples/questions.jsonl`);
  const ways: [name: string, find: Find][] = [
    ['MiniSearch 7 (prefix, fuzzy .2)', miniSearch(texts)],
    ['Orama 3, full text', await orama(texts, alone, 'fulltext')],
    ['Orama 3, hybrid with our vectors', await orama(texts, alone, 'hybrid')],
    ['Aval, table alone', await aval(texts, alone)],
    ['Aval, table and encoder', await aval(texts, both)],
  ];
  const compared: Compared[] = [];
  for (const [name, find] of ways) compared.push({ name, ...(await judge(find, questions, ids)) });
  return compared;
}

async function judge(find: Find, questions: readonly Question[], ids: readonly string[]) {
  const [firstTimes, times]: [number[], number[]] = [[], []];
  const found: { hits: readonly Hit[]; relevant: Set<string> }[] = [];
  for (const { query } of questions) {
    const start = performance.now();
    await find(query);
    firstTimes.push(performance.now() - start);
  }
  for (const { query, relevant } of questions) {
    const start = performance.now();
    const hits = await find(query);
    times.push(performance.now() - start);
    found.push({ hits, relevant: new Set(relevant) });
  }
  const best = (some: typeof found) => some.map(({ hits }) => hits[0]?.score ?? 0);
  const answerable = found.filter(({ relevant }) => relevant.size > 0);
  const judged = answerable.map(({ hits, relevant }) => ({
    ranking: hits.map(({ index }) => ids[index] ?? ''),
    relevant,
  }));
  const { recall1 } = rankingFigures(judged);
  const recall5 = mean(judged.map(({ ranking, relevant }) => recallAt(ranking, relevant, 5)));
  const unanswerable = found.filter(({ relevant }) => relevant.size === 0);
  const [firstMicroseconds, microseconds] = [firstTimes, times].map(all => Math.round(1000 * median(all)));
  return {
    ...{ recall1, recall5, auc: auc(best(answerable), best(unanswerable)) },
    ...{ firstMicroseconds: firstMicroseconds ?? 0, microseconds: microseconds ?? 0 },
  };
}

function miniSearch(texts: readonly SearchText[]): Find {
  const index = new MiniSearch({ fields: ['text'], searchOptions: { prefix: true, fuzzy: 0.2 } });
  index.addAll(texts.map(({ text }, id) => ({ id, text })));
  return async query => index.search(query).map(({ id, score }) => ({ index: Number(id), score }));
}

async function orama(
  texts: readonly SearchText[],
  { embedder }: RetrievalModel,
  mode: 'fulltext' | 'hybrid',
): Promise<Find> {
  const database = create({ schema: { text: 'string', vector: `vector[${embedder.dims}]` } });
  const vectors = await embedder.embed(texts.map(({ text }) => text));
  for (const [at, { text }] of texts.entries()) {
    await insert(database, { id: String(at), text, vector: Array.from(vectors[at]!) });
  }
  return async query => {
    const [vector] = mode === 'hybrid' ? await embedder.embed([query], 'query') : [];
    const asked = vector
      ? {
          mode: 'hybrid' as const,
          term: query,
          vector: { value: Array.from(vector), property: 'vector' },
          similarity: 0,
        }
      : { term: query };
    const { hits } = await search(database, { ...asked, limit: texts.length });
    return hits.map(({ id, score }) => ({ index: Number(id), score }));
  };
}

async function aval(texts: readonly SearchText[], model: RetrievalModel): Promise<Find> {
  const retrieval = await createRetrieval({ ...model, texts });
  return async query => {
    const { scored, some } = await retrieval.search(query, texts.length);
    return scored.map(({ index }) => ({ index, score: some }));
  };
}
