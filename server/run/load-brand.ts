import { existsSync } from 'node:fs';
import { buildBrand } from '../../brand/retrieval/answers.ts';
import { type LoadedModel, loadModel } from '../../brand/retrieval/model.ts';
import type { ServedProfile } from '../../brand/trust/served-profile.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { once } from '../config/timing.ts';
import { databaseFile, openDatabase } from '../outbox/database.ts';
import type { Database } from '../outbox/sql.ts';
import { createKeptVectors } from './kept-vectors.ts';
import { readBrandFile, type ServedBrand } from './served-brand.ts';

export interface BrandParts {
  readonly reading?: Promise<ServedProfile> | undefined;
  /** From `createModelSource`, where the model outlives the profile. */
  readonly model?: () => Promise<LoadedModel>;
  /** Keeps the claims' vectors. Default: the configured database, if it exists. */
  readonly database?: Database | undefined;
  /** Does not wait for the encoder to read new claims: the table answers alone until it has. Needs `database`. */
  readonly early?: boolean;
}

/**
 * Loads the configured profile, verified and ready for questions.
 * @throws Error with the file and every fault of the profile, or with the model that cannot be read
 */
export async function loadBrand(config: Config, log: Log, parts: BrandParts = {}): Promise<ServedBrand> {
  const { reading = readBrandFile(config), model: modelOf = createModelSource(config, log) } = parts;
  const [served, model] = await Promise.all([reading, modelOf()]);
  const { profile, digest, bytes, jwks, verified, warnings } = served;
  const { answeredBy } = model;
  log('info', 'brand', { digest, signed: verified, claims: profile.claims.length, answeredBy });
  // The host of the bundled example does not exist.
  for (const warning of warnings) log(config.isExample ? 'info' : 'warn', 'brand', { warning });
  const database = parts.database ?? (await existingDatabase(config));
  const brand = await buildBrand({
    profile,
    digest,
    ...model,
    floors: config.floors,
    kept: database && createKeptVectors(database),
    early: parts.early,
    note: message => log('info', 'brand', { message }),
    progress: config.logFormat === 'json' ? undefined : progressOnTerminal(),
  });
  const effect = 'the table answers alone';
  brand.ready.catch((error: Error) => log('error', 'brand', { fault: error.message, effect }));
  if (database !== parts.database) await database?.close();
  return { ...brand, bytes, jwks, answeredBy };
}

/** Shows how far a long step is; nothing where nobody reads along. */
export const progressOnTerminal = () => (process.stderr.isTTY ? showProgress : undefined);

/** Each line overwrites the last. */
function showProgress(step: string, done: number, of: number): void {
  const share = `${Math.floor((100 * done) / of)} %`;
  process.stderr.write(done < of ? `\r${step} the profile: ${share}\x1b[K` : '\r\x1b[K');
}

/** A command that only asks creates no database; it uses a server's, if there is one. */
async function existingDatabase({ dataDirectory, databaseUrl }: Config): Promise<Database | undefined> {
  if (databaseUrl !== undefined || !existsSync(databaseFile(dataDirectory))) return undefined;
  return openDatabase({ dataDirectory }).catch(() => undefined);
}

/** Loads the model once. A reload changes the profile alone, and a transformer takes seconds to load. */
export function createModelSource({ embedding }: Config, log: Log): () => Promise<LoadedModel> {
  return once(() => loadModel(embedding, message => log('info', 'model', { message })));
}
