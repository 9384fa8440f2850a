import { readFile } from 'node:fs/promises';
import type { RetrievalModel } from '../../brand/embedding/retrieval-model.ts';
import type { Claim, Proof } from '../../brand/profile/schema.ts';
import { readJson } from '../../brand/profile/strict-json.ts';
import { createRetrieval, type Ranking, type Scored } from '../../brand/retrieval/retrieval.ts';
import { searchText } from '../../brand/retrieval/scores/search-text.ts';
import { type CheckReport, checkProfile, type Finding, readDraft } from '../check/check-profile.ts';
import type { Draft } from '../check/warnings.ts';
import { ExchangeError } from '../exchange/imported.ts';
import { type Asked, ask, type Figures, figuresOf, worst } from '../measure/evaluate.ts';
import { readQuestions } from '../measure/questions.ts';
import { createMarker, type Marker } from './marker.ts';

export interface DraftFiles {
  readonly profile: string;
  /** Questions of one's own, as `aval eval` reads them. */
  readonly questions?: string | undefined;
  /** Public keys that the signature is held against. */
  readonly jwks: string;
}

/** A claim with the proofs that can be found, and how it scored. */
export interface Explained {
  readonly claim: Claim;
  readonly proofs: readonly Proof[];
  readonly scored: Scored;
}

export interface Explanation {
  readonly query: string;
  readonly matches: readonly Explained[];
  readonly level: Ranking['level'];
  readonly mark: Marker;
}

/** The result of one's own questions, or why they cannot be asked. */
export type Questions = { readonly figures: Figures; readonly worst: readonly Asked[] } | { readonly fault: string };

/** A profile as it stands in its file, in any state. */
export interface LiveDraft {
  readonly report: CheckReport;
  readonly draft: Draft;
  readonly questions: Questions | undefined;
  readonly findingsOf: (claim: number) => readonly Finding[];
  readonly proofsOf: (claim: Claim) => readonly Proof[];
  explain(query: string): Promise<Explanation>;
}

const MATCHES = 5;

/** Reads the files anew. What is whole can be asked, whatever else is wrong. @throws Error where the profile cannot be read */
export async function readLiveDraft(files: DraftFiles, model: RetrievalModel, now = new Date()): Promise<LiveDraft> {
  const bytes = await readFile(files.profile);
  const jwks = await readFile(files.jwks).catch(() => undefined);
  const report = await checkProfile(bytes, { now, embedder: model.embedder, jwks });
  const draft = readDraft(readJson(bytes).value);
  const claims = draft.claims.map(({ part }) => part);
  const retrieval = claims.length > 0 ? await createRetrieval({ ...model, texts: claims.map(searchText) }) : undefined;
  const proofById = new Map(draft.proofs.map(({ part }) => [part.proof_id, part]));
  const proofsOf = ({ proof_ids }: Claim) => proof_ids.flatMap(id => proofById.get(id) ?? []);
  return {
    report,
    draft,
    questions: files.questions === undefined ? undefined : await askQuestions(files.questions, { claims, model }),
    proofsOf,
    findingsOf: claim => [...report.faults, ...report.warnings].filter(({ path }) => isOf(path, claim)),
    async explain(query) {
      const { scored, level } = (await retrieval?.search(query, MATCHES)) ?? { scored: [], level: 0 };
      const matches = scored.flatMap(hit => {
        const claim = claims[hit.index];
        return claim ? [{ claim, proofs: proofsOf(claim), scored: hit }] : [];
      });
      return { query, matches, level, mark: createMarker(query, model.embedder.tokens) };
    },
  };
}

const isOf = (path: string, claim: number) => path === `claims[${claim}]` || path.startsWith(`claims[${claim}].`);

async function askQuestions(
  file: string,
  { claims, model }: { claims: Claim[]; model: RetrievalModel },
): Promise<Questions> {
  try {
    const questions = readQuestions(await readFile(file));
    const asked = await ask({ claims }, { model, questions });
    const [figures] = figuresOf(asked);
    return figures ? { figures, worst: worst(asked, 10) } : { fault: 'there is no question' };
  } catch (error) {
    if (error instanceof ExchangeError) return { fault: `${file}: ${error.message}` };
    return { fault: `${file} cannot be read` };
  }
}
