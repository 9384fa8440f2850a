import { keysBeside } from '../../brand/trust/keys.ts';
import { exists } from '../../owner/files.ts';
import { commandLine } from '../../owner/output.ts';
import { readConfig } from '../config/config.ts';
import type { Environment } from '../config/settings.ts';

interface ChosenBrand {
  /** Path of the profile, as typed or as set. */
  readonly file: string;
  /** File of its public keys. Undefined if there is none. */
  readonly jwks?: string | undefined;
  readonly environment: Environment;
  /** A line that says which profile was chosen. Absent if the command line names it. */
  readonly notice?: string;
}

interface Choosing {
  readonly environment: Environment;
  readonly named?: string | undefined;
  /** For a server BRAND_FILE goes before the folder; in production only BRAND_FILE counts. */
  readonly isServer?: boolean;
  /** The command changes the profile, so it refuses the bundled example. */
  readonly changes?: boolean;
}

/**
 * Chooses by the settings of the process, and prints the notice on stderr.
 * @throws as `chooseBrand`
 */
export async function chosenBrand(choosing: Omit<Choosing, 'environment'>): Promise<ChosenBrand> {
  const brand = await chooseBrand({ ...choosing, environment: process.env });
  if (brand.notice) process.stderr.write(`aval: ${brand.notice}\n`);
  return brand;
}

const HERE = 'brand.json';

/**
 * Chooses the profile of a command (docs/decisions/0035): the one on the command line, else brand.json of
 * this folder with the key set beside it, else BRAND_FILE, else the bundled example.
 * @throws ConfigError if it needs the settings and they have faults; Error if there is no profile to change
 */
export async function chooseBrand({
  environment,
  named,
  isServer = false,
  changes,
}: Choosing): Promise<ChosenBrand> {
  if (named !== undefined) return withKeys(named, environment);
  const ofHere = async () => ({ ...(await withKeys(HERE, environment)), notice: noticeHere(environment) });
  const isHere = await exists(HERE);
  if (isHere && !isServer) return ofHere();
  const { isExample, production, brandFile: file, brandJwks: jwks } = readConfig(environment);
  if (isHere && isExample && !production) return ofHere();
  if (isExample && changes)
    throw new Error(
      `no ${HERE} is here, and BRAND_FILE is not set: ${commandLine('init')} writes one, or name the file`,
    );
  let notice = `profile: ${file}, which BRAND_FILE names`;
  if (isExample) notice = `profile: the bundled example: BRAND_FILE is not set, and no ${HERE} is here`;
  // In production the folder does not count.
  if (isExample && production) notice = 'profile: the bundled example: BRAND_FILE is not set';
  if (isExample || isServer) return { file, jwks, environment, notice };
  return { ...(await withKeys(file, environment, jwks)), notice };
}

/** A profile with the configured key set, or with the one beside it. */
async function withKeys(file: string, environment: Environment, configured?: string): Promise<ChosenBrand> {
  const beside = keysBeside(file);
  const jwks = configured ?? ((await exists(beside)) ? beside : environment.BRAND_JWKS);
  const keys = jwks === undefined ? {} : { BRAND_JWKS: jwks, BRAND_JWKS_FILE: undefined };
  const named = { ...environment, BRAND_FILE: file, BRAND_FILE_FILE: undefined, ...keys };
  return { file, jwks, environment: named };
}

function noticeHere({ BRAND_FILE: configured }: Environment): string {
  const isOther = configured !== undefined && configured !== '' && configured !== HERE;
  return `profile: ${HERE} of this folder${isOther ? `, not BRAND_FILE (${configured})` : ''}`;
}
