import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';

/**
 * Makes a directory that only this user can enter, and syncs its name to disk. An existing directory keeps
 * its mode: it may be /tmp, or shared with a back-up user.
 */
export async function makePrivateDirectory(path: string): Promise<void> {
  const topmostNew = await mkdir(path, { recursive: true, mode: 0o700 });
  if (topmostNew === undefined) return;
  await syncDirectory(dirname(path));
  await syncDirectory(dirname(topmostNew));
}

/** Writes a file that only this user can read, and makes its directory. Readers never see half of it. */
export async function writePrivateFile(path: string, content: string | Uint8Array | Readable): Promise<void> {
  await makePrivateDirectory(dirname(path));
  await writeFile(`${path}.new`, content, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Syncs a directory: only then are the names of its files on disk (fsync(2)). */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
