import type { RetrievalModel } from '../../brand/embedding/retrieval-model.ts';
import type { KeptVectors } from '../../brand/encoder/encoder.ts';
import type { Claim } from '../../brand/profile/schema.ts';
import { createRetrieval, type Retrieval, type Scored } from '../../brand/retrieval/retrieval.ts';
import type { Leanings } from '../../brand/retrieval/scores/expansion.ts';
import { searchText } from '../../brand/retrieval/scores/search-text.ts';
import { type Band, bandOf, FLOORS } from '../../brand/retrieval/similarity.ts';
import { readDraft } from '../check/check-profile.ts';
import type { Json } from './document/document.ts';
import { createMarker, type Piece } from './marker.ts';

/** A claim with what it got for a question. */
export interface Explained {
  readonly claim_id: string;
  /** Its position in the document. */
  readonly at: number;
  /** The statement, and where it applies and does not, in pieces; those that meet the question are marked. */
  readonly statement: readonly Piece[];
  readonly applies: readonly Piece[];
  readonly excludes: readonly Piece[];
  readonly band: Band;
  readonly scores: Readonly<Record<'similarity' | 'meaning' | 'late' | 'lexical', number>>;
}

export interface Explanation {
  readonly query: string;
  /** Whether a visitor would get an answer. */
  readonly answered: boolean;
  /** The chance that any claim answers. */
  readonly some: number;
  readonly matches: readonly Explained[];
}

/** The whole claims of a document, ready to be asked. */
export interface Asking {
  readonly claims: readonly Claim[];
  readonly retrieval: Retrieval | undefined;
  explain(query: string): Promise<Explanation>;
}

const MATCHES = 5;

/** Makes documents askable, one after the other. What stayed from the last is not computed again. */
export function createAsker(model: RetrievalModel): (document: Json) => Promise<Asking> {
  const known: Leanings = new Map();
  const kept = keptInMemory();
  let last: { key: string; asking: Promise<Asking> } | undefined;
  return document => {
    const whole = readDraft(document).claims;
    const key = JSON.stringify(whole);
    if (last?.key !== key) last = { key, asking: make(whole, { ...model, known, kept }) };
    return last.asking;
  };
}

/** What the encoder has read, as long as the studio runs. */
function keptInMemory(): KeptVectors {
  const vectors = new Map<string, Float32Array>();
  return {
    async find(keys) {
      return new Map(keys.flatMap(key => (vectors.has(key) ? [[key, vectors.get(key) ?? new Float32Array()]] : [])));
    },
    async keep(made) {
      for (const [key, vector] of made) vectors.set(key, vector);
    },
  };
}

async function make(
  whole: readonly { readonly at: number; readonly part: Claim }[],
  model: RetrievalModel & { readonly known: Leanings; readonly kept: KeptVectors },
): Promise<Asking> {
  const texts = whole.map(({ part }) => searchText(part));
  const retrieval = whole.length > 0 ? await createRetrieval({ ...model, texts }) : undefined;
  return {
    claims: whole.map(({ part }) => part),
    retrieval,
    async explain(query) {
      const found = await retrieval?.search(query, MATCHES);
      const mark = createMarker(query, model.embedder.tokens);
      const matches = (found?.scored ?? []).flatMap(hit => {
        const claim = whole[hit.index];
        return claim ? [explained(claim, hit, mark)] : [];
      });
      const some = found?.some ?? 0;
      const answered = some >= FLOORS.some && retrieval?.hasContent(query) === true;
      return { query, answered, some, matches };
    },
  };
}

function explained(
  { at, part }: { readonly at: number; readonly part: Claim },
  { similarity, meaning, late, lexical }: Scored,
  mark: (text: string) => readonly Piece[],
): Explained {
  return {
    claim_id: part.claim_id,
    at,
    statement: mark(part.statement),
    applies: mark(part.boundary.applicable_for),
    excludes: mark(part.boundary.not_applicable_for),
    band: bandOf(similarity),
    scores: { similarity, meaning, late, lexical },
  };
}
