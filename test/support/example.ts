import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadProfile } from '../../brand/profile/profile.ts';
import { buildBrand } from '../../brand/retrieval/ask.ts';
import { openModel, type RetrievalModel } from '../../brand/retrieval/model.ts';
import { readConfig } from '../../server/config/config.ts';
import { createKeptVectors } from '../../server/run/kept-vectors.ts';
import type { ServedBrand } from '../../server/run/load-brand.ts';
import { loadBrand } from '../../server/run/load-brand.ts';
import { ROOT, temporaryFolder } from './folder.ts';

/** Keeps the vectors of the example's claims from one run of the tests to the next, as a server's DATA_DIR does. */
const VECTORS = `${ROOT}node_modules/.cache/aval-tests`;

/** A DATA_DIR of a test. A server on it does not read the example's claims again, which takes a second. */
export function dataFolder(): string {
  const folder = temporaryFolder();
  const kept = join(VECTORS, 'claim-vectors.bin');
  if (existsSync(kept)) copyFileSync(kept, join(folder, 'claim-vectors.bin'));
  return folder;
}

let model: Promise<RetrievalModel> | undefined;

/** The bundled model, opened once a process. */
export function exampleModel(): Promise<RetrievalModel> {
  model ??= openModel(readConfig({}).embedding);
  return model;
}

let example: Promise<ServedBrand> | undefined;

/** The example brand, loaded once a process. */
export function exampleBrand(): Promise<ServedBrand> {
  const parts = { keepsVectors: true, model: exampleModel() };
  example ??= loadBrand(readConfig({ DATA_DIR: VECTORS }), () => {}, parts);
  return example;
}

export const {
  profile: PROFILE,
  digest: DIGEST,
  bytes: BYTES,
} = await loadProfile(`${ROOT}examples/brand.json`);

/** The example brand, or one that differs from it. */
export async function brandWith(changes: Partial<Parameters<typeof buildBrand>[0]> = {}) {
  const kept = createKeptVectors(VECTORS, { writes: false, note: () => {} });
  return buildBrand({ model: await exampleModel(), profile: PROFILE, digest: DIGEST, kept, ...changes });
}
