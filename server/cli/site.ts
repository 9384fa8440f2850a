import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { messageOf } from '../../owner/error-message.ts';

/**
 * The settings of a site as its unit, deploy/aval@.service, has them; those of its aval.env come last, as in systemd.
 * @param site its name, or its folder where that is not /etc/aval/NAME
 * @throws Error that names the file that cannot be read
 */
export async function settingsOfSite(site: string): Promise<Readonly<Record<string, string | undefined>>> {
  const folder = site.includes('/') ? site : join('/etc/aval', site);
  const file = join(folder, 'aval.env');
  const text = await readFile(file, 'utf8').catch(fault => {
    throw new Error(`--site ${site}: ${messageOf(fault)}. A site has its settings in ${file}; docs/operations.md.`);
  });
  return {
    NODE_ENV: 'production',
    DATA_DIR: join('/var/lib/aval', basename(folder)),
    BRAND_FILE: join(folder, 'brand.json'),
    BRAND_JWKS: join(folder, 'brand.jwks.json'),
    ...parseEnv(text),
  };
}
