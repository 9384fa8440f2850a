import { LRUCache } from 'lru-cache';
import { type AnswerNotes, answerNotes } from '../profile/answer-note.ts';
import { brandName } from '../profile/profile.ts';
import type { Profile } from '../profile/schema.ts';
import type { Answer, Brand, Match } from './brand.ts';
import type { EncodedOptions } from './encoded-texts.ts';
import { createRetrieval } from './retrieval.ts';
import type { RetrievalModel } from './retrieval-model.ts';
import { searchText } from './search-text.ts';
import { bandOf, FLOORS } from './similarity.ts';

export interface BrandInput extends RetrievalModel, EncodedOptions {
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
const NOTHING = { scored: [], some: 0 };

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
  const retrieval = await createRetrieval({ ...input, name, texts: profile.claims.map(searchText) });
  const answers = new LRUCache<string, Answer>({ ...KEPT, sizeCalculation: (_, query) => query.length + 100 });
  const answer = async (query: string, asker?: string): Promise<Answer> => {
    const hasContent = floors.match === 0 || retrieval.hasContent(query);
    const { scored, some } = hasContent ? await retrieval.search(query, MATCHES, asker) : NOTHING;
    const matches = scored.map((hit): Match => ({ ...served[hit.index]!, similarity: rounded(hit.similarity) }));
    const shown = some < floors.some ? [] : matches.filter(({ similarity }) => similarity >= floors.match);
    const note = noteOn(shown, notes, calibrated);
    const made = { brand: name, query, matches: shown, ...(note !== undefined && { note }) };
    answers.set(query, made);
    return made;
  };
  /** By asker and question: whoever asks what another asks must not wait in the other's line for the encoder. */
  const underWay = new Map<string, Promise<Answer>>();
  return {
    name,
    profile,
    digest,
    calibrated,
    ask(query, asker) {
      const used = query.toWellFormed().trim();
      const known = answers.get(used);
      if (known) return Promise.resolve(known);
      const key = `${asker}\n${used}`;
      const asked = underWay.get(key) ?? answer(used, asker).finally(() => underWay.delete(key));
      underWay.set(key, asked);
      return asked;
    },
  };
}

/** Similarities of a model without calibration do not tell a weak answer. */
function noteOn([best]: readonly Match[], { weak, empty }: AnswerNotes, calibrated: boolean): string | undefined {
  if (!best) return empty;
  return calibrated && bandOf(best.similarity) !== 'answers' ? weak : undefined;
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
