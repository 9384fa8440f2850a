import { isSpanish } from '../../brand/profile/finding-words.ts';
import { readJson } from '../../brand/profile/strict-json.ts';
import { keysBeside } from '../../brand/trust/keys.ts';
import { languageIn } from '../../owner/draft.ts';
import { exists, readIfThere } from '../../owner/files.ts';
import { type Environment, readConfig } from '../config/config.ts';

interface ChosenBrand {
  /** Path of the profile, as typed or as set. */
  readonly file: string;
  /** File of its public keys; absent where there is none. */
  readonly jwks?: string | undefined;
  readonly environment: Environment;
  /** One line for the person at the terminal; absent where the command line names the profile. */
  readonly says?: readonly [english: string, spanish: string];
  readonly isExample?: boolean;
}

interface Choosing {
  readonly environment: Environment;
  readonly named?: string | undefined;
  /** A server obeys BRAND_FILE before the folder, and in production looks at BRAND_FILE alone. */
  readonly isServer?: boolean;
  /** The command changes the profile, so it refuses the bundled example. */
  readonly changes?: boolean;
}

/** Chooses by the settings of the process, and tells on stderr what the command line does not name. @throws as `chooseBrand` */
export async function chosenBrand(choosing: Omit<Choosing, 'environment'>): Promise<ChosenBrand> {
  const brand = await chooseBrand({ ...choosing, environment: process.env });
  if (brand.says) process.stderr.write(`aval: ${brand.says[(await isInSpanish(brand)) ? 1 : 0]}\n`);
  return brand;
}

/** Whether the owner's own profile is in Spanish; for the bundled example, whether the machine is. */
async function isInSpanish({ file, isExample, environment }: ChosenBrand): Promise<boolean> {
  if (isExample) return /^es/i.test(environment.LANG ?? '');
  const bytes = await readIfThere(file).catch(() => undefined);
  return bytes !== undefined && isSpanish(languageIn(readJson(bytes).value));
}

const HERE = 'brand.json';

/**
 * The one rule of all commands (docs/decisions/0035): the profile that the command line names, else brand.json of this folder with the
 * key set beside it, else BRAND_FILE, else the bundled example.
 * @throws ConfigError where the settings are needed and cannot be used, Error where there is no profile to change
 */
export async function chooseBrand({
  environment,
  named,
  isServer = false,
  changes,
}: Choosing): Promise<ChosenBrand> {
  if (named !== undefined) return withKeys(named, environment);
  const ofHere = async () => ({ ...(await withKeys(HERE, environment)), says: saysHere(environment) });
  const isHere = await exists(HERE);
  if (isHere && !isServer) return ofHere();
  const { isExample, production, brandFile: file, brandJwks: jwks } = readConfig(environment);
  if (isHere && isExample && !production) return ofHere();
  if (isExample && changes)
    throw new Error(`no ${HERE} is here, and BRAND_FILE is not set: aval init writes one, or name the file`);
  const says = isExample ? saysExample(production) : saysSet(file);
  if (isExample || isServer) return { file, jwks, environment, says, isExample };
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

function saysHere({ BRAND_FILE: set }: Environment) {
  const isOther = set !== undefined && set !== '' && set !== HERE;
  return [
    `profile: ${HERE} of this folder${isOther ? `, not BRAND_FILE (${set})` : ''}`,
    `perfil: ${HERE} de esta carpeta${isOther ? `, no BRAND_FILE (${set})` : ''}`,
  ] as const;
}

const saysSet = (file: string) =>
  [`profile: ${file}, which BRAND_FILE names`, `perfil: ${file}, que dice BRAND_FILE`] as const;

/** In production nobody looks for a profile in the folder. */
const saysExample = (production: boolean) =>
  [
    `profile: the bundled example: BRAND_FILE is not set${production ? '' : `, and no ${HERE} is here`}`,
    `perfil: el ejemplo incluido: falta BRAND_FILE${production ? '' : `, y aquí no hay ${HERE}`}`,
  ] as const;
