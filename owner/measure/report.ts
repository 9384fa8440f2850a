import type { Claim } from '../../brand/profile/schema.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import type { RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import { searchText } from '../../brand/retrieval/search-text.ts';
import { BANDS } from '../../brand/retrieval/similarity.ts';
import { dot } from '../../brand/retrieval/vector.ts';
import type { AskedQuestion } from '../../tools/language/asked-question.ts';
import { countsOf, type Doubt, type Group, groupsOf, type Members, wordingOf } from './groups.ts';

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
  const groups = await doubted(await groupsOf(asked, model), claims, model);
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

const DAY_MS = 24 * 60 * 60 * 1000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

function perDay(asked: readonly AskedQuestion[], since: Date, until: Date): Map<string, number> {
  const days = new Map<string, number>();
  for (let at = since.getTime(); at <= until.getTime(); at += DAY_MS) days.set(dayOf(at), 0);
  for (const { at } of asked) days.set(dayOf(at), (days.get(dayOf(at)) ?? 0) + 1);
  return days;
}
