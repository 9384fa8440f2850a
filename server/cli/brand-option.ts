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
  if (brand.says !== undefined) process.stderr.write(`aval: ${brand.says}\n`);
  return brand;
}
