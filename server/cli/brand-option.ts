import type { Choosing, ChosenBrand } from '../config/chosen-brand.ts';

/** What `--brand` and the argument FILE say of themselves. */
export const DEFAULT_BRAND = 'default: brand.json of this folder, else BRAND_FILE';
export const DEFAULT_READ = `${DEFAULT_BRAND}, else the bundled example`;

/** The profile that a command reads. */
export const brandToRead = (named: string | undefined) => chosen({ named });

/** The settings with the profile that a server takes. */
export const settingsToServe = async () => (await chosen({ isServer: true })).environment;

/** The profile that a command changes. @throws Error where there is none */
export const brandToChange = async (named: string | undefined) => (await chosen({ named, changes: true })).file;

/** Chooses, and tells on stderr what the command line does not name. @throws ConfigError */
async function chosen(choosing: Omit<Choosing, 'environment'>): Promise<ChosenBrand> {
  const { chooseBrand } = await import('../config/chosen-brand.ts');
  const brand = await chooseBrand({ environment: process.env, ...choosing });
  if (brand.says) process.stderr.write(`aval: ${brand.says[(await isInSpanish(brand)) ? 1 : 0]}\n`);
  return brand;
}

/** Whether the owner's own profile is in Spanish; for the bundled example, whether the machine is. */
async function isInSpanish({ file, isExample, environment }: ChosenBrand): Promise<boolean> {
  if (isExample) return /^es/i.test(environment.LANG ?? '');
  const [{ readIfThere }, { readJson }, { languageIn }, { isSpanish }] = await Promise.all([
    import('../../owner/files.ts'),
    import('../../brand/profile/strict-json.ts'),
    import('../../owner/draft.ts'),
    import('../../brand/profile/finding-words.ts'),
  ]);
  const bytes = await readIfThere(file).catch(() => undefined);
  return bytes !== undefined && isSpanish(languageIn(readJson(bytes).value));
}
