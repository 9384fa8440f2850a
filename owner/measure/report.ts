import type { RetrievalModel } from '../../brand/embedding/retrieval-model.ts';
import { dot } from '../../brand/embedding/vector.ts';
import { foldedText } from '../../brand/profile/folded-text.ts';
import type { Claim } from '../../brand/profile/schema.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import { searchText } from '../../brand/retrieval/scores/search-text.ts';
import { BANDS } from '../../brand/retrieval/similarity.ts';
import type { AskedQuestion } from '../../tools/language/asked-question.ts';

/**
 * Why a group that seems answered deserves a look. That no action followed is none of them: an asked question names no client
 * (AskedQuestion), so a request cannot be joined to what its sender asked before.
 */
export type Doubt = 'rival' | 'unsure' | 'again';

/** Questions that mean nearly the same. */
export interface Group {
  /** As it was asked most often. */
  readonly query: string;
  readonly times: number;
  /** Mean similarity of the best claims. */
  readonly similarity: number;
  /** The claim that came most often; absent where nothing fitted. */
  readonly claimId?: string | undefined;
  readonly language: string;
  /** Other wordings, at most five. */
  readonly others: readonly string[];
  /** Empty for a weak group, and for one that nothing speaks against. */
  readonly doubts: readonly Doubt[];
}

export interface Report {
  readonly questions: number;
  readonly since: Date;
  readonly until: Date;
  /** Most asked first. */
  readonly groups: readonly Group[];
  /** Those that no claim answers well, most asked first. */
  readonly weak: readonly Group[];
  /** Those that seem answered and may not be, most asked first. */
  readonly doubtful: readonly Group[];
  /** Claims that were the best match of no question. */
  readonly silent: readonly Claim[];
  /** Name to count, most first. */
  readonly languages: ReadonlyMap<string, number>;
  readonly channels: ReadonlyMap<string, number>;
  readonly visitors: ReadonlyMap<string, number>;
  /** Day (UTC) to count, every day of the time, oldest first. */
  readonly days: ReadonlyMap<string, number>;
}

export interface ReportInput {
  readonly asked: readonly AskedQuestion[];
  readonly claims: readonly Claim[];
  readonly model: RetrievalModel;
  readonly since: Date;
  readonly until: Date;
}

const [ANSWERS] = BANDS;

/** What people asked, as its owner wants to know it. */
export async function createReport({ asked, claims, model, since, until }: ReportInput): Promise<Report> {
  const groups = await doubted(await group(asked, model), claims, model);
  const best = new Set(asked.map(({ claimId }) => claimId));
  return {
    questions: asked.length,
    since,
    until,
    groups,
    weak: groups.filter(({ similarity }) => similarity < ANSWERS.from),
    doubtful: groups.filter(({ doubts }) => doubts.length > 0),
    silent: claims.filter(({ claim_id }) => !best.has(claim_id)),
    languages: countsOf(asked.map(({ language }) => language)),
    channels: countsOf(asked.map(({ channel }) => channel)),
    visitors: countsOf(asked.map(({ visitor }) => visitor)),
    days: perDay(asked, since, until),
  };
}

/** Wordings that are compared: the most frequent. The encoder reads 20 to 60 a second, the table thousands. */
const MOST_COMPARED = { encoder: 600, table: 3000 };

/**
 * From this cosine on two questions are one. With the encoder, 8 of 10 pairs of the example's questions that reach it ask for the same
 * claim, and it finds 11 % of all such pairs. The table finds 0.3 %: without an encoder, groups hold little more than one wording.
 */
const SAME = { encoder: 0.7, table: 0.75 };

interface Members {
  readonly vector: Float32Array;
  readonly members: AskedQuestion[][];
}

async function group(asked: readonly AskedQuestion[], model: RetrievalModel): Promise<(Group & Members)[]> {
  const wordings = new Map<string, AskedQuestion[]>();
  for (const one of asked) {
    const key = wordingOf(one.query);
    wordings.set(key, [...(wordings.get(key) ?? []), one]);
  }
  const by = model.encoder ? 'encoder' : 'table';
  const ordered = [...wordings.values()].sort((a, b) => b.length - a.length).slice(0, MOST_COMPARED[by]);
  const vectors = await read(
    ordered.map(([first]) => first?.query ?? ''),
    model,
  );
  const groups: Members[] = [];
  for (const [at, members] of ordered.entries()) {
    const vector = vectors[at] ?? new Float32Array(model.embedder.dims);
    const near = groups.find(other => dot(other.vector, vector) >= SAME[by]);
    if (near) near.members.push(members);
    else groups.push({ vector, members: [members] });
  }
  return groups.map(one => ({ ...one, ...asGroup(one.members) })).sort((a, b) => b.times - a.times);
}

const wordingOf = (query: string) =>
  foldedText(query)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

async function read(queries: readonly string[], { encoder, embedder }: RetrievalModel): Promise<Float32Array[]> {
  if (!encoder) return embedder.embed(queries, 'query');
  const vectors: Float32Array[] = [];
  for (const query of queries) vectors.push(await encoder.encoder.ask(query, 'report'));
  return vectors;
}

function asGroup(members: readonly (readonly AskedQuestion[])[]): Group {
  const all = members.flat();
  const [claimId] = [...countsOf(all.flatMap(one => one.claimId ?? [])).keys()];
  const wordings = members.flatMap(([first]) => first?.query ?? []);
  return {
    query: wordings[0] ?? '',
    times: all.length,
    similarity: all.reduce((sum, one) => sum + one.similarity, 0) / all.length,
    claimId,
    language: all[0]?.language ?? '?',
    others: wordings.slice(1, 6),
    doubts: [],
  };
}

/** A second claim with this share of the first one's similarity may be the right one. */
const RIVAL = 0.5;

/** Asked so often with an answer that is not near certain, it is worth a look though each answer may be right. */
const OFTEN = { times: 3, below: 0.8 };

async function doubted(
  groups: readonly (Group & Members)[],
  claims: readonly Claim[],
  model: RetrievalModel,
): Promise<Group[]> {
  const retrieval = claims.length > 1 ? await createRetrieval({ ...model, texts: claims.map(searchText) }) : undefined;
  const repeated = askedAgain(groups);
  const made: Group[] = [];
  for (const one of groups) {
    const { vector: _, members: __, ...shown } = one;
    const answered = one.similarity >= ANSWERS.from;
    const [first, second] = answered ? ((await retrieval?.search(one.query, 2))?.scored ?? []) : [];
    const doubts: Doubt[] = [
      ...(first && second && second.similarity >= RIVAL * first.similarity ? (['rival'] as const) : []),
      ...(answered && one.times >= OFTEN.times && one.similarity < OFTEN.below ? (['unsure'] as const) : []),
      ...(answered && repeated.has(one) ? (['again'] as const) : []),
    ];
    made.push({ ...shown, doubts });
  }
  return made;
}

/** Somebody who asks again within this time in other words did not get the answer. */
const AGAIN_MS = 60_000;

/** From this cosine on the second question may be about the same; nobody is told apart, so two people can look like one. */
const ABOUT = 0.5;

/** Groups with a question that was followed at once, on its channel, by one in other words about the same. */
function askedAgain(groups: readonly (Group & Members)[]): ReadonlySet<Group> {
  const all = groups.flatMap(of => of.members.flat().map(one => ({ of, one, wording: wordingOf(one.query) })));
  all.sort((a, b) => a.one.at - b.one.at);
  const repeated = new Set<Group>();
  for (const [at, { of, one, wording }] of all.entries()) {
    const next = all.slice(at + 1, at + 20).find(({ one: other, ...later }) => {
      const soon = other.at - one.at <= AGAIN_MS && other.channel === one.channel && other.visitor === one.visitor;
      return soon && later.wording !== wording && dot(later.of.vector, of.vector) >= ABOUT;
    });
    if (next) repeated.add(of);
  }
  return repeated;
}

function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

const DAY_MS = 24 * 60 * 60 * 1000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

function perDay(asked: readonly AskedQuestion[], since: Date, until: Date): Map<string, number> {
  const days = new Map<string, number>();
  for (let at = since.getTime(); at <= until.getTime(); at += DAY_MS) days.set(dayOf(at), 0);
  for (const { at } of asked) days.set(dayOf(at), (days.get(dayOf(at)) ?? 0) + 1);
  return days;
}
