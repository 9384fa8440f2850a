import { access } from 'node:fs/promises';
import { keysBeside } from '../../brand/trust/keys.ts';
import { type Environment, readConfig } from './config.ts';

/** The profile that a command uses. */
export interface ChosenBrand {
  /** Path of the profile, as typed or as set. */
  readonly file: string;
  /** File of its public keys; absent where there is none. */
  readonly jwks?: string | undefined;
  /** The environment that names this profile and these keys. */
  readonly environment: Environment;
  /** One line for the person at the terminal; absent where the command line names the profile. */
  readonly says?: readonly [english: string, spanish: string];
  readonly isExample?: boolean;
}

export interface Choosing {
  readonly environment: Environment;
  /** What the command line names. */
  readonly named?: string | undefined;
  /** A server obeys BRAND_FILE before the folder, and in production looks at BRAND_FILE alone. */
  readonly isServer?: boolean;
  /** The command changes the profile, so it refuses the bundled example. */
  readonly changes?: boolean;
}

const HERE = 'brand.json';

/**
 * The one rule of all commands (docs/decisions/0035): the profile that the command line names, else brand.json of this folder with the
 * key set beside it, else BRAND_FILE, else the bundled example.
 * @throws ConfigError where the settings are needed and cannot be used, Error where there is no profile to change
 */
export async function chooseBrand({ environment, named, isServer = false, changes }: Choosing): Promise<ChosenBrand> {
  if (named !== undefined) return withKeys(named, environment);
  const isHere = await isThere(HERE);
  if (isHere && !isServer) return { ...(await withKeys(HERE, environment)), says: saysHere(environment) };
  const { isExample, production, brandFile: file, brandJwks: jwks } = readConfig(environment);
  if (isHere && isExample && !production)
    return { ...(await withKeys(HERE, environment)), says: saysHere(environment) };
  if (isExample && changes)
    throw new Error(`no ${HERE} is here, and BRAND_FILE is not set: aval init writes one, or name the file`);
  const says = isExample
    ? saysExample(production)
    : ([`profile: ${file}, which BRAND_FILE names`, `perfil: ${file}, que dice BRAND_FILE`] as const);
  if (isExample || isServer) return { file, jwks, environment, says, isExample };
  return { ...(await withKeys(file, environment, jwks)), says };
}

/** A profile with the key set beside it, or with the one that is set. */
async function withKeys(file: string, environment: Environment, set?: string): Promise<ChosenBrand> {
  const beside = keysBeside(file);
  const jwks = set ?? ((await isThere(beside)) ? beside : environment.BRAND_JWKS);
  const keys = jwks === undefined ? {} : { BRAND_JWKS: jwks, BRAND_JWKS_FILE: undefined };
  const named = { ...environment, BRAND_FILE: file, BRAND_FILE_FILE: undefined, ...keys };
  return { file, jwks, environment: named };
}

function saysHere({ BRAND_FILE: set }: Environment) {
  const isOther = set !== undefined && set !== '' && set !== HERE;
  return [
    `profile: ${HERE} of this folder${isOther ? `, not BRAND_FILE (${set})` : ''}`,
    `perfil: ${HERE} de esta carpeta${isOther ? `, no BRAND_FILE (${set})` : ''}`,
  ] as const;
}

function saysExample(production: boolean) {
  return production
    ? ([
        'profile: the bundled example: BRAND_FILE is not set',
        'perfil: el ejemplo incluido: falta BRAND_FILE',
      ] as const)
    : ([
        `profile: the bundled example: no ${HERE} is here, and BRAND_FILE is not set`,
        `perfil: el ejemplo incluido: aquí no hay ${HERE}, y falta BRAND_FILE`,
      ] as const);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
