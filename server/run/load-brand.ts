import { buildBrand } from '../../brand/retrieval/ask.ts';
import { openModel, type RetrievalModel } from '../../brand/retrieval/model.ts';
import type { ServedProfile } from '../../brand/trust/served-profile.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { atMostEvery } from '../config/timing.ts';
import { createKeptVectors } from './kept-vectors.ts';
import { readBrandFile, type ServedBrand } from './served-brand.ts';

export interface BrandParts {
  /** The profile, where the caller has begun to read it. */
  readonly reading?: Promise<ServedProfile> | undefined;
  /**
   * Whether the claims' vectors are written to DATA_DIR. A command that only asks reads what a server wrote
   * there.
   */
  readonly keepsVectors?: boolean;
  /** The model of a caller that closes it. Default: one that is open as long as the process runs. */
  readonly model?: RetrievalModel | Promise<RetrievalModel>;
}

/** Long enough that the usual profile of 100 claims logs nothing. */
const PROGRESS_EVERY_MS = 5000;

/**
 * Loads the configured profile: verified, every claim read, ready for questions.
 * @throws Error with the file and every fault of the profile, or with the model that cannot be opened
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
  // The host of the bundled example does not exist.
  for (const warning of warnings) log(config.isExample ? 'info' : 'warn', 'brand', { warning });
  const note = (message: string) => log('info', 'brand', { message });
  const brand = await buildBrand({
    profile,
    digest,
    model,
    kept: createKeptVectors(config.dataDirectory, { writes: parts.keepsVectors ?? false, note }),
    note,
    onProgress: progressOf(log),
  });
  return { ...brand, bytes, jwks, answeredBy };
}

/** Shows how many claims are read: on a terminal in one line that is overwritten, else in the log. */
function progressOf(log: Log): (done: number, total: number) => void {
  if (process.stderr.isTTY) {
    return (done, total) => {
      const line = done < total ? `reading the claims: ${done} of ${total}` : '';
      process.stderr.write(`\r${line}\x1b[K`);
    };
  }
  const startedMs = performance.now();
  const logProgress = atMostEvery(
    PROGRESS_EVERY_MS,
    () => performance.now(),
    (message: string) => log('info', 'brand', { message }),
  );
  return (done, total) => {
    if (performance.now() - startedMs < PROGRESS_EVERY_MS) return;
    logProgress(`${done} of ${total} claims are read`);
  };
}
