import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** What a result measured: the folders, and the digest of their files. */
export interface MeasuredCode {
  readonly folders: readonly string[];
  readonly digest: string;
}

/**
 * The code that `npm start` runs, as it is now. `npm run docs -- --check` fails where a result names another
 * digest.
 */
export function measuredCode(
  folders: readonly string[] = ['brand', 'tools', 'rest', 'discovery', 'server'],
): MeasuredCode {
  const hash = createHash('sha256');
  const files = folders.flatMap(folder =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
  );
  for (const file of files.filter(name => /\.(ts|js|css)$/.test(name)).sort())
    hash.update(file).update(readFileSync(ROOT + file));
  return { folders, digest: hash.digest('hex').slice(0, 16) };
}
