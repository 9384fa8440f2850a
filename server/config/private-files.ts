import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, isMissing } from '../../brand/profile/thrown.ts';

/**
 * Makes a directory that only this user can enter, and makes its name survive a power cut. One that is there
 * keeps its mode: it may be /tmp, or shared with whoever fetches the back-ups.
 */
export async function makePrivateDirectory(path: string): Promise<void> {
  const topmostNew = await makeDirectories(path);
  if (topmostNew === undefined) return;
  await syncDirectory(dirname(path));
  await syncDirectory(dirname(topmostNew));
}

/**
 * The topmost directory that had to be made. Not Node's `recursive`: it tries for ever where a parent exists
 * and refuses with ENOENT, as /proc does.
 */
async function makeDirectories(path: string): Promise<string | undefined> {
  const existing = await stat(path).catch(error => {
    if (!isMissing(error) || dirname(path) === path) throw error;
  });
  if (existing?.isDirectory()) return undefined;
  const topmost = await makeDirectories(dirname(path));
  // Another process may have been faster.
  await mkdir(path, { mode: 0o700 }).catch(error => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  return topmost ?? path;
}

/** A file's name is on disk only when its directory is (fsync(2)). */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
