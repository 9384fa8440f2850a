import { LRUCache } from 'lru-cache';
import { type AnswerNotes, answerNotes } from '../profile/answer-note.ts';
import { brandName, namesOf } from '../profile/profile.ts';
import type { Profile } from '../profile/schema.ts';
import { createAnswerWriter } from './answer-json.ts';
import { type Answer, BOUNDARY_SPEAKS, type Brand, type Match } from './brand.ts';
import type { Asker } from './line.ts';
import type { RetrievalModel } from './model.ts';
import { cautious } from './ranking.ts';
import { createRetrieval, type RetrievalOptions } from './retrieval.ts';
import { searchText } from './search-text.ts';
import { bandOf, FLOORS } from './similarity.ts';

export interface BrandInput extends RetrievalModel, RetrievalOptions {
  readonly profile: Profile;
  /** `sha256:` and the hex digest of the profile file's bytes. */
  readonly digest: string;
  /** What answers leave out. Default: `floorsOf`. */
  readonly floors?: Partial<Floors>;
}

export type Floors = Readonly<Record<keyof typeof FLOORS, number | undefined>>;

/**
 * The floors in use. A floor of 0 for matches means five matches for every question, so it takes the other floor along. A model
 * that is not calibrated has none.
 */
export function floorsOf(calibrated: boolean, { match, some }: Partial<Floors> = {}) {
  const lowest = match ?? (calibrated ? FLOORS.match : 0);
  return { match: lowest, some: some ?? (calibrated && lowest > 0 ? FLOORS.some : 0) };
}

const MATCHES = 5;
const NOTHING = { scored: [], some: 0, isExcluded: false, encoded: true };

/** Answers kept: their number, and their size in characters of questions (two bytes each). */
const KEPT = { max: 1000, maxSize: 500_000 };

/**
 * Makes a profile answer questions: the best claims, at most five, verbatim, with their proofs in the order of `proof_ids`.
 * @throws Error where a claim names a proof that the profile lacks, or where the embedder fails.
 */
export async function buildBrand(input: BrandInput): Promise<Brand> {
  const { profile, digest, calibrated } = input;
  const floors = floorsOf(calibrated, input.floors);
  const name = brandName(profile);
  const served = serveClaims(profile);
  const notes = answerNotes(profile);
  const retrieval = await createRetrieval({
    ...input,
    names: namesOf(profile),
    texts: profile.claims.map(searchText),
  });
  const answers = new LRUCache<string, Answer>({
    ...KEPT,
    sizeCalculation: (_, query) => query.length + 100,
  });
  const answer = async (query: string, asker?: Asker): Promise<Answer> => {
    const hasContent = floors.match === 0 || retrieval.hasContent(query);
    const found =
      hasContent && cautious(query, await retrieval.search(query, MATCHES, asker), input.parameters);
    const { scored, some, isExcluded, encoded } = found || NOTHING;
    const matches = scored.map(
      (hit): Match => ({ ...served[hit.index]!, similarity: rounded(hit.similarity) }),
    );
    const shown = some < floors.some ? [] : matches.filter(({ similarity }) => similarity >= floors.match);
    const boundarySpeaks = isExcluded && shown.length > 0;
    const note = noteOf(shown, boundarySpeaks, calibrated);
    const plain = { brand: name, query, matches: shown };
    const noted = note === undefined ? plain : { brand: name, query, matches: shown, note: notes[note] };
    const made: Answer = boundarySpeaks ? { ...noted, [BOUNDARY_SPEAKS]: true } : noted;
    if (encoded || !input.encoder) answers.set(query, made);
    else alone += 1;
    return made;
  };
  let alone = 0;
  const underWay = new Map<string, ReturnType<typeof share>>();
  return {
    name,
    profile,
    digest,
    calibrated,
    ready: retrieval.ready,
    alone: () => alone,
    json: createAnswerWriter(),
    async ask(query, asker) {
      const used = query.toWellFormed().trim();
      const known = answers.get(used);
      if (known) return known;
      const begun = underWay.get(used);
      const shared =
        begun && !begun.isGivenUp()
          ? begun
          : share(signal => answer(used, asker && { ...asker, signal }), Boolean(input.encoder));
      underWay.set(used, shared);
      return shared.join(asker?.signal).finally(() => {
        if (underWay.get(used) === shared) underWay.delete(used);
      });
    },
  };
}

/** An answer that several clients wait for: computed once, and given up, where it takes long, when all of them have hung up. */
function share(compute: (signal?: AbortSignal) => Promise<Answer>, takesLong: boolean) {
  const givenUp = takesLong ? new AbortController() : undefined;
  const answer = compute(givenUp?.signal);
  let waiting = 0;
  return {
    isGivenUp: () => givenUp?.signal.aborted === true,
    join(signal?: AbortSignal): Promise<Answer> {
      if (!givenUp) return answer;
      waiting += 1;
      const leave = () => {
        waiting -= 1;
        if (waiting === 0) givenUp.abort(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      return answer.finally(() => signal?.removeEventListener('abort', leave));
    },
  };
}

/** Similarities of a model without calibration do not tell a weak answer. */
function noteOf(
  [best]: readonly Match[],
  boundarySpeaks: boolean,
  calibrated: boolean,
): keyof AnswerNotes | undefined {
  if (!best) return 'empty';
  if (calibrated && bandOf(best.similarity) !== 'answers') return 'weak';
  return boundarySpeaks ? 'excluded' : undefined;
}

/**
 * Claims as they stand in answers: members in the order of the contract, whatever their order in the profile. The similarity
 * has its place already: an object that gets new members after a spread is a class of its own to V8, with 400 bytes that
 * stay in memory for long.
 */
function serveClaims({ claims, proofs }: Profile): Match[] {
  const proofsById = new Map(proofs.map(proof => [proof.proof_id, proof]));
  return claims.map(({ claim_id, statement, category, metric, boundary, confidence, proof_ids }, index) => {
    const resolved = proof_ids.map((id, at) => {
      const proof = proofsById.get(id);
      if (!proof) throw new Error(`claims[${index}].proof_ids[${at}]: no such proof`);
      return proof;
    });
    const claim = { claim_id, statement, category, ...(metric && { metric }), boundary, confidence };
    return { ...claim, similarity: 0, proofs: resolved };
  });
}

const rounded = (similarity: number): number => Math.round(similarity * 10_000) / 10_000;
