import type { Embedder } from '../../brand/embedding/embedder.ts';
import { dot } from '../../brand/embedding/vector.ts';
import type { Claim } from '../../brand/profile/schema.ts';
import { bandOf } from '../../brand/retrieval/similarity.ts';
import type { AskedQuestion } from '../../tools/language/asked-question.ts';

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
}

export interface Report {
  readonly questions: number;
  readonly since: Date;
  readonly until: Date;
  /** Most asked first. */
  readonly groups: readonly Group[];
  /** Those that no claim answers well, most asked first. */
  readonly weak: readonly Group[];
  /** Claims that were the best match of no question. */
  readonly silent: readonly Claim[];
  /** Name to count, most first. */
  readonly languages: ReadonlyMap<string, number>;
  readonly channels: ReadonlyMap<string, number>;
  readonly visitors: ReadonlyMap<string, number>;
  /** Day (UTC) to count, every day of the time, oldest first. */
  readonly days: ReadonlyMap<string, number>;
}

interface ReportInput {
  readonly asked: readonly AskedQuestion[];
  readonly claims: readonly Claim[];
  readonly embedder: Embedder;
  readonly since: Date;
  readonly until: Date;
}

/** What people asked, as its owner wants to know it. */
export async function createReport({ asked, claims, embedder, since, until }: ReportInput): Promise<Report> {
  const groups = await group(asked, embedder);
  const best = new Set(asked.map(({ claimId }) => claimId));
  return {
    questions: asked.length,
    since,
    until,
    groups,
    weak: groups.filter(({ similarity }) => bandOf(similarity) !== 'answers'),
    silent: claims.filter(({ claim_id }) => !best.has(claim_id)),
    languages: counted(asked.map(({ language }) => language)),
    channels: counted(asked.map(({ channel }) => channel)),
    visitors: counted(asked.map(({ visitor }) => visitor)),
    days: perDay(asked, since, until),
  };
}

/** From here on two questions are one, by the cosine of the bundled model. */
const SAME = 0.75;

/** Different wordings that are compared: the most frequent. Each is held against the first of every group. */
const MOST_COMPARED = 3000;

async function group(asked: readonly AskedQuestion[], embedder: Embedder): Promise<Group[]> {
  const wordings = new Map<string, AskedQuestion[]>();
  for (const one of asked) {
    const key = one.query
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    wordings.set(key, [...(wordings.get(key) ?? []), one]);
  }
  const ordered = [...wordings.values()].sort((a, b) => b.length - a.length).slice(0, MOST_COMPARED);
  const vectors = await embedder.embed(
    ordered.map(([first]) => first?.query ?? ''),
    'query',
  );
  const groups: { vector: Float32Array; members: AskedQuestion[][] }[] = [];
  for (const [at, members] of ordered.entries()) {
    const vector = vectors[at] ?? new Float32Array(embedder.dims);
    const near = groups.find(other => dot(other.vector, vector) >= SAME);
    if (near) near.members.push(members);
    else groups.push({ vector, members: [members] });
  }
  return groups.map(({ members }) => asGroup(members)).sort((a, b) => b.times - a.times);
}

function asGroup(members: readonly (readonly AskedQuestion[])[]): Group {
  const all = members.flat();
  const [claimId] = [...counted(all.flatMap(one => one.claimId ?? [])).keys()];
  const wordings = members.flatMap(([first]) => first?.query ?? []);
  return {
    query: wordings[0] ?? '',
    times: all.length,
    similarity: all.reduce((sum, one) => sum + one.similarity, 0) / all.length,
    claimId,
    language: all[0]?.language ?? '?',
    others: wordings.slice(1, 6),
  };
}

function counted(values: readonly string[]): Map<string, number> {
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
