import { keysBeside } from '../../brand/trust/keys.ts';
import { exists } from '../../owner/files.ts';
import { type Environment, readConfig } from '../config/config.ts';

interface ChosenBrand {
  /** Path of the profile, as typed or as set. */
  readonly file: string;
  /** File of its public keys; absent where there is none. */
  readonly jwks?: string | undefined;
  readonly environment: Environment;
  /** One line for the person at the terminal; absent where the command line names the profile. */
  readonly says?: string;
}

interface Choosing {
  readonly environment: Environment;
  readonly named?: string | undefined;
  /** A server obeys BRAND_FILE before the folder, and in production looks at BRAND_FILE alone. */
  readonly isServer?: boolean;
  /** The command changes the profile, so it refuses the bundled example. */
  readonly changes?: boolean;
}

export const brandToRead = (named: string | undefined) => chosen({ environment: process.env, named });

/** The profile that a command changes. @throws Error where there is none */
export const brandToChange = async (named: string | undefined) =>
  (await chosen({ environment: process.env, named, changes: true })).file;

export const settingsToServe = async () => (await chosen({ environment: process.env, isServer: true })).environment;

/** Chooses, and tells on stderr what the command line does not name. */
async function chosen(choosing: Choosing): Promise<ChosenBrand> {
  const brand = await chooseBrand(choosing);
  if (brand.says !== undefined) process.stderr.write(`aval: ${brand.says}\n`);
  return brand;
}

const HERE = 'brand.json';

/**
 * The one rule of all commands (docs/decisions/0035): the profile that the command line names, else brand.json of this folder with the
 * key set beside it, else BRAND_FILE, else the bundled example.
 * @throws ConfigError where the settings are needed and cannot be used, Error where there is no profile to change
 */
export async function chooseBrand({ environment, named, isServer = false, changes }: Choosing): Promise<ChosenBrand> {
  if (named !== undefined) return withKeys(named, environment);
  const ofHere = async () => ({ ...(await withKeys(HERE, environment)), says: saysHere(environment) });
  const isHere = await exists(HERE);
  if (isHere && !isServer) return ofHere();
  const { isExample, production, brandFile: file, brandJwks: jwks } = readConfig(environment);
  if (isHere && isExample && !production) return ofHere();
  if (isExample && changes)
    throw new Error(`no ${HERE} is here, and BRAND_FILE is not set: aval init writes one, or name the file`);
  const says = isExample ? saysExample(production) : `profile: ${file}, which BRAND_FILE names`;
  if (isExample || isServer) return { file, jwks, environment, says };
  return { ...(await withKeys(file, environment, jwks)), says };
}

/** A profile with the key set beside it, or with the one that is set. */
async function withKeys(file: string, environment: Environment, set?: string): Promise<ChosenBrand> {
  const beside = keysBeside(file);
  const jwks = set ?? ((await exists(beside)) ? beside : environment.BRAND_JWKS);
  const keys = jwks === undefined ? {} : { BRAND_JWKS: jwks, BRAND_JWKS_FILE: undefined };
  const named = { ...environment, BRAND_FILE: file, BRAND_FILE_FILE: undefined, ...keys };
  return { file, jwks, environment: named };
}

const saysHere = ({ BRAND_FILE: set }: Environment) =>
  `profile: ${HERE} of this folder${set && set !== HERE ? `, not BRAND_FILE (${set})` : ''}`;

const saysExample = (production: boolean) =>
  `profile: the bundled example: ${production ? '' : `no ${HERE} is here, and `}BRAND_FILE is not set`;
