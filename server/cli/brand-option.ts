import type { ChosenBrand } from '../config/chosen-brand.ts';

/** What `--brand` and the argument FILE say of themselves. */
export const DEFAULT_BRAND = 'default: brand.json of this folder, else BRAND_FILE';
export const DEFAULT_READ = `${DEFAULT_BRAND}, else the bundled example`;

/** The profile that a command reads. */
export async function brandToRead(named: string | undefined): Promise<ChosenBrand> {
  const { chooseAndSay } = await import('../config/chosen-brand.ts');
  return chooseAndSay({ environment: process.env, named });
}

/** The profile that a command changes. @throws Error where there is none */
export async function brandToChange(named: string | undefined): Promise<string> {
  const { chooseAndSay } = await import('../config/chosen-brand.ts');
  return (await chooseAndSay({ environment: process.env, named, changes: true })).file;
}
