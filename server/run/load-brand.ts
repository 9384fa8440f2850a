import { fault, jsonPath, renderFault } from '../../brand/profile/fault.ts';
import { ProfileError } from '../../brand/profile/profile.ts';
import { badAddressPaths } from '../../brand/profile/web-address.ts';
import { buildBrand } from '../../brand/retrieval/ask.ts';
import type { Brand } from '../../brand/retrieval/brand.ts';
import { openModel, type RetrievalModel } from '../../brand/retrieval/model.ts';
import { loadServedProfile, type ServedProfile } from '../../brand/trust/served-profile.ts';
import { isRecord } from '../../tools/object-schema.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { atMostEvery } from '../config/timing.ts';
import { createKeptVectors } from './kept-vectors.ts';

/** A brand with the bytes of its files, which the server publishes. */
export interface ServedBrand extends Brand {
  /** Name of the model. */
  readonly answeredBy: string;
  readonly bytes: Uint8Array;
  /** The public keys. Undefined for an unverified profile. */
  readonly jwks: Uint8Array | undefined;
}

interface BrandParts {
  /** The profile, if the caller reads it already. */
  readonly reading?: Promise<ServedProfile> | undefined;
  /** Whether to write the claims' vectors to DATA_DIR. A command that only asks reads those of a server. */
  readonly keepsVectors?: boolean;
  /** A model that the caller closes. Default: a new one, open until the process ends. */
  readonly model?: RetrievalModel | Promise<RetrievalModel>;
}

/** Interval of progress lines. A usual profile of 100 claims is done before the first one. */
const PROGRESS_EVERY_MS = 3000;

/**
 * Loads the configured profile: verified, every claim read, ready for questions.
 * @throws Error with every fault of the profile, or for a model that cannot be opened
 * @example
 * const brand = await loadBrand(readConfig({ BRAND_FILE: 'brand.json' }), createLog());
 */
export async function loadBrand(config: Config, log: Log, parts: BrandParts = {}): Promise<ServedBrand> {
  const reading = parts.reading ?? readBrandFile(config);
  const opening = parts.model ?? openModel(config.embedding);
  const [served, model] = await Promise.all([reading, opening]);
  const { profile, digest, bytes, jwks, verified, warnings } = served;
  const { answeredBy } = model;
  log('info', 'brand', { digest, signed: verified, claims: profile.claims.length, answeredBy });
  // The bundled example always has a warning: its host does not exist.
  for (const warning of warnings) log(config.isExample ? 'info' : 'warn', 'brand', { warning });
  const note = (message: string) => log('info', 'brand', { message });
  const noteProgress = atMostEvery(PROGRESS_EVERY_MS, () => performance.now(), note);
  const startedMs = performance.now();
  const brand = await buildBrand({
    profile,
    digest,
    model,
    kept: createKeptVectors(config.dataDirectory, { writes: parts.keepsVectors ?? false, note }),
    note,
    onProgress(done, total) {
      if (performance.now() - startedMs < PROGRESS_EVERY_MS) return;
      noteProgress(`${done} of ${total} claims are read`);
    },
  });
  return { ...brand, bytes, jwks, answeredBy };
}

/**
 * Makes a function that loads the configured profile, each time with the same model.
 * @returns also `close`, which waits for the model's threads: a computing thread would abort a process that
 * ends (SIGABRT)
 */
export function createLoader(config: Config, log: Log) {
  let opening: Promise<RetrievalModel> | undefined;
  return {
    load() {
      opening ??= openModel(config.embedding);
      // The next load opens it again.
      opening.catch(() => {
        opening = undefined;
      });
      return loadBrand(config, log, { keepsVectors: true, model: opening });
    },
    async close() {
      const model = await opening?.catch(() => undefined);
      await model?.embedder.close();
    },
  };
}

/**
 * Reads and verifies the configured profile, without the slow model.
 * @throws Error with the file and every fault of the profile
 */
export async function readBrandFile(config: Config): Promise<ServedProfile> {
  const { brandFile, brandJwks, baseUrl, production } = config;
  const host = baseUrl && new URL(baseUrl).host;
  const options = { jwksPath: brandJwks, host, production, now: new Date() };
  try {
    const served = await loadServedProfile(brandFile, options);
    // Pages leave out a bad address. The profile may be signed already, so it is only a warning.
    const { logos, privacy_policy_url: privacyPolicyUrl } = isRecord(served.document) ? served.document : {};
    const paths = badAddressPaths(Array.isArray(logos) ? logos : [], privacyPolicyUrl);
    const addressWarnings = paths.map(path => renderFault(fault(jsonPath(path), 'web_address')));
    return { ...served, warnings: [...served.warnings, ...addressWarnings] };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    const faults = error.message.replace(/^/gm, '  ');
    throw new Error(`The profile ${brandFile} cannot be used:\n${faults}`, { cause: error });
  }
}
