import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptVectors } from '../../brand/retrieval/encoder.ts';
import { readClaims } from '../../brand/retrieval/read-claims.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import { BUNDLED_MODEL, type RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import type { SearchText } from '../../brand/retrieval/search-text.ts';
import { createVectorIndex, exactSearch } from '../../brand/retrieval/vector-index.ts';
import { createKeptVectors } from '../../server/brand/kept-vectors.ts';
import { showProgress } from '../../server/brand/load-brand.ts';
import { openDatabase } from '../../server/database/database.ts';

/** Retrieval over many claims, with the native index or with exact search in its place. */
export interface Scale {
  readonly encoder: boolean;
  readonly index: 'hnsw' | 'exact';
  readonly claims: number;
  readonly buildSeconds: number;
  /** With the encoder's vectors kept. */
  readonly restartSeconds: number;
  /** Longest stretch of building in which nothing else was served, milliseconds. */
  readonly longestPieceMs: number;
  readonly residentMegabytes: number;
  /** Of questions in new words, milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** The same while a second profile of the same size is built. */
  readonly p99WhileReloading: number;
  /** Of the five nearest by exact search, how many the index finds. */
  readonly recall5: number;
}

const QUESTIONS = 300;

/** Builds, asks and builds again; a line of progress on a terminal. */
export async function measureScale(model: RetrievalModel, claims: number): Promise<Scale[]> {
  const { texts, questions } = await inventClaims(claims);
  const rows: Scale[] = [];
  // Exact search stands in for the index; what it costs does not depend on the encoder.
  for (const index of model.encoder ? (['hnsw'] as const) : (['hnsw', 'exact'] as const))
    rows.push(await measure({ model, texts, questions, index }));
  return rows;
}

interface Measured {
  readonly model: RetrievalModel;
  readonly texts: readonly SearchText[];
  readonly questions: readonly string[];
  readonly index: Scale['index'];
}

async function measure({ model, texts, questions, index }: Measured): Promise<Scale> {
  const options = index === 'exact' ? { load: () => Promise.reject(new Error('left out for the measurement')) } : {};
  const directory = await mkdtemp(join(tmpdir(), 'aval-scale-'));
  const database = await openDatabase({ dataDirectory: directory });
  const kept = createKeptVectors(database);
  const build = (progress?: (step: string, done: number, of: number) => void) =>
    createRetrieval({ ...model, texts, index: options, progress, kept });
  const pieces = watchPieces();
  const start = performance.now();
  const retrieval = await build(process.stderr.isTTY ? showProgress : undefined);
  const buildSeconds = (performance.now() - start) / 1000;
  const longestPieceMs = pieces.longest();
  const restarted = performance.now();
  await build();
  const restartSeconds = (performance.now() - restarted) / 1000;
  const asked = await timesOf(questions.slice(0, QUESTIONS), query => retrieval.search(query, 5));
  let reloading = true;
  const reload = build().finally(() => {
    reloading = false;
  });
  const during = await timesOf(
    questions.slice(QUESTIONS, 2 * QUESTIONS),
    query => retrieval.search(query, 5),
    () => reloading,
  );
  await reload;
  const recall5 = index === 'exact' ? 1 : await recallOf({ model, texts, kept }, questions.slice(0, 100));
  await database.close();
  await rm(directory, { recursive: true });
  return {
    encoder: model.encoder !== undefined,
    index,
    claims: texts.length,
    buildSeconds,
    restartSeconds,
    longestPieceMs,
    residentMegabytes: Math.round(process.memoryUsage().rss / 1e6),
    p50: at(asked, 0.5),
    p99: at(asked, 0.99),
    p99WhileReloading: at(during, 0.99),
    recall5,
  };
}

interface Indexed {
  readonly model: RetrievalModel;
  readonly texts: readonly SearchText[];
  readonly kept: KeptVectors;
}

async function recallOf(
  { model: { embedder, encoder }, texts, kept }: Indexed,
  questions: readonly string[],
): Promise<number> {
  const heads = texts.map(({ text }) => text);
  const vectors = await (encoder ? readClaims(encoder.encoder, heads, { kept }) : embedder.embed(heads));
  const index = await createVectorIndex(vectors);
  const asked = await (encoder ? encoder.encoder.read(questions, 'question') : embedder.embed(questions));
  const shares = asked.map(vector => {
    const nearest = new Set(exactSearch(vectors, vector, 5));
    return index.search(vector, 5).filter(found => nearest.has(found)).length / 5;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

async function timesOf(
  questions: readonly string[],
  ask: (query: string) => Promise<unknown>,
  goOn = () => true,
): Promise<number[]> {
  const times: number[] = [];
  for (const question of questions) {
    if (!goOn()) break;
    const start = performance.now();
    await ask(question);
    times.push(performance.now() - start);
    await new Promise(resolve => setImmediate(resolve));
  }
  return times.sort((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

/** How long the event loop was held at most since the last look. */
function watchPieces() {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1).unref();
  return {
    longest: () => {
      clearInterval(timer);
      return longest;
    },
  };
}

interface Line {
  readonly [field: string]: string | string[];
}

/**
 * Claims of many trades that are no copies of each other: two claims of one invented line in each language give four, and a
 * statement of one claim with the bounds of a neighbour in the file, which is of the same trade, gives the rest. With their questions.
 */
async function inventClaims(count: number): Promise<{ texts: SearchText[]; questions: string[] }> {
  const file = await readFile(join(BUNDLED_MODEL, 'training', 'claims-questions.jsonl'), 'utf8');
  const lines: Line[] = file
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  const texts = Array.from({ length: count }, (_, nth): SearchText => {
    const line = lines[nth % lines.length]!;
    const round = Math.floor(nth / lines.length);
    const other = lines[(nth + 1 + round) % lines.length]!;
    const language = round % 2 === 0 ? 'es' : 'en';
    const head = round < 2 ? String(line[language]) : `${line[language]} ${String(other[language]).split(/[,;.]/)[0]}.`;
    return { head, text: `${head} ${(round < 2 ? line : other)[`app_${language}`]} ${line[`not_${language}`]}` };
  });
  const questions = lines.map((line, nth) => String(line[nth % 2 === 0 ? 'q_es' : 'q_en']?.[nth % 4]));
  return { texts, questions: questions.filter((_, nth) => nth % 6 === 0) };
}
