import { LRUCache } from 'lru-cache';
import type { Claim } from '../../brand/profile/schema.ts';
import type { RetrievalModel } from '../../brand/retrieval/model.ts';
import type { KeptVectors } from '../../brand/retrieval/read-claims.ts';
import { createRetrieval, type Retrieval, type Scored } from '../../brand/retrieval/retrieval.ts';
import { searchText } from '../../brand/retrieval/search-text.ts';
import { type Band, bandOf, FLOORS } from '../../brand/retrieval/similarity.ts';
import { readDraft } from '../check-profile.ts';
import type { Json } from './document.ts';
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

type Whole = readonly { readonly at: number; readonly part: Claim }[];

/** Makes documents askable, one after the other. What stayed from the last is not computed again. */
export function createAsker(model: RetrievalModel): (document: Json) => Promise<Asking> {
  const kept = keptInMemory();
  let last: { whole: Whole; asking: Promise<Asking> } | undefined;
  return document => {
    const whole = readDraft(document).claims;
    if (last === undefined || !same(last.whole, whole)) last = { whole, asking: make(whole, { ...model, kept }) };
    return last.asking;
  };
}

const same = (before: Whole, after: Whole) =>
  before.length === after.length &&
  before.every(({ at, part }, index) => at === after[index]?.at && part === after[index].part);

/** Texts that are remembered: those of the largest profile, about 5 KB each. Wordings that an edit replaced fall out first. */
const REMEMBERED = { max: 20_000 };

/** What the encoder has read, as long as the studio runs. */
function keptInMemory(): KeptVectors {
  const vectors = new LRUCache<string, Float32Array>(REMEMBERED);
  return {
    async find(keys) {
      return new Map(
        keys.flatMap(key => {
          const vector = vectors.get(key);
          return vector ? [[key, vector]] : [];
        }),
      );
    },
    async keep(made) {
      for (const [key, vector] of made) vectors.set(key, vector);
    },
  };
}

async function make(whole: Whole, model: RetrievalModel & { readonly kept: KeptVectors }): Promise<Asking> {
  const texts = whole.map(({ part }) => searchText(part));
  const retrieval = whole.length > 0 ? await createRetrieval({ ...model, texts, index: { exact: true } }) : undefined;
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
