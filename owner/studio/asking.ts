import { namesOf } from '../../brand/profile/profile.ts';
import type { Claim } from '../../brand/profile/schema.ts';
import type { RetrievalModel } from '../../brand/retrieval/model.ts';
import type { Parameters } from '../../brand/retrieval/parameters.ts';
import { cautious } from '../../brand/retrieval/ranking.ts';
import { createRetrieval, type Retrieval } from '../../brand/retrieval/retrieval.ts';
import { searchText } from '../../brand/retrieval/search-text.ts';
import { bandOf, FLOORS } from '../../brand/retrieval/similarity.ts';
import { readDraft } from '../draft.ts';
import type { Json } from '../member.ts';

/** The whole claims of a document, ready to be asked. */
export interface Asking {
  readonly claims: readonly Claim[];
  readonly retrieval: Retrieval | undefined;
  readonly parameters: Parameters;
}

/** Makes documents askable, one after the other. What the encoder has read stays, so that an edit costs one claim. */
export function createAsker(model: RetrievalModel): (document: Json) => Promise<Asking> {
  const vectors = new Map<string, Float32Array>();
  const kept = {
    find: async () => vectors,
    keep: async (made: ReadonlyMap<string, Float32Array>) => {
      for (const [key, vector] of made) vectors.set(key, vector);
    },
  };
  let last: { said: string; asking: Promise<Asking> } | undefined;
  return document => {
    const draft = readDraft(document);
    const [claims, names] = [draft.claims.map(({ part }) => part), namesOf(draft)];
    const said = JSON.stringify([names, claims]);
    if (last?.said !== said) {
      const texts = claims.map(searchText);
      const made =
        claims.length > 0
          ? createRetrieval({ ...model, kept, names, texts, index: { exact: true } })
          : undefined;
      const { parameters } = model;
      last = { said, asking: Promise.resolve(made).then(retrieval => ({ claims, retrieval, parameters })) };
    }
    return last.asking;
  };
}

const MATCHES = 5;

/** What a visitor would get for a question: each claim that comes near, and whether it is an answer. */
export async function explain({ claims, retrieval, parameters }: Asking, query: string) {
  const ranking = await retrieval?.search(query, MATCHES);
  const { scored = [], some = 0 } = ranking ? cautious(query, ranking, parameters) : {};
  const matches = scored.flatMap(({ index, similarity }) => {
    const claim = claims[index];
    return claim ? [{ claim, similarity, band: bandOf(similarity) }] : [];
  });
  return { query, some, answered: some >= FLOORS.some && retrieval?.hasContent(query) === true, matches };
}
