import { loadProfile } from '../../brand/profile/profile.ts';
import { buildBrand } from '../../brand/retrieval/answers.ts';
import { loadRetrievalModel } from '../../brand/retrieval/model.ts';
import { BUNDLED_MODEL } from '../../brand/retrieval/parameters.ts';
import { loadStaticEmbedder } from '../../brand/retrieval/static-embedder.ts';
import { ROOT } from '../support/support.ts';

/** The bundled model, its table alone. */
export const MODEL = await loadRetrievalModel(BUNDLED_MODEL, await loadStaticEmbedder(BUNDLED_MODEL));

export const {
  profile: PROFILE,
  digest: DIGEST,
  bytes: BYTES,
} = await loadProfile(`${ROOT}examples/brand.json`);

/** The example brand, or one that differs from it. */
export const brandWith = (changes: Partial<Parameters<typeof buildBrand>[0]> = {}) =>
  buildBrand({ ...MODEL, profile: PROFILE, digest: DIGEST, ...changes });
