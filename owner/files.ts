import { randomUUID } from 'node:crypto';
import { chmod, lstat, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MAX_PROFILE_BYTES } from '../brand/profile/profile.ts';
import { readBounded } from '../brand/profile/read-bounded.ts';
import { codeOf, isMissing } from '../brand/profile/thrown.ts';

/** Mode of a file that only its owner reads and writes, such as a private key. */
export const OWNER_ONLY = 0o600;

/** Mode of a file that anybody may read. */
export const READABLE = 0o644;

/** Writes a new file. @throws Error if it exists, or for a link or a device in its place */
export async function createFile(path: string, text: string, mode: number): Promise<void> {
  await modeOf(path);
  try {
    await writeFile(path, text, { flag: 'wx', mode, flush: true });
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new Error(`${path} is there already: name another file, or move that one away`);
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Replaces a file in one step and keeps its mode, or makes it. After a power cut the old or the new text is
 * complete.
 * @param replaces the bytes from which the text was made
 * @throws Error for a link or a device in its place, or if the file has other bytes now
 * @example await replaceFile('brand.json', text, { replaces: bytes });
 */
export async function replaceFile(
  path: string,
  text: string,
  { replaces }: { readonly replaces?: Uint8Array } = {},
): Promise<void> {
  const mode = (await modeOf(path)) ?? READABLE;
  const aside = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    await writeFile(aside, text, { flag: 'wx', mode: OWNER_ONLY, flush: true });
    await chmod(aside, mode);
    if (replaces !== undefined && !(await readPlainFile(path)).equals(replaces))
      throw new Error(`${path} was changed meanwhile, so it was not written: run the command again`);
    await rename(aside, path);
    // Windows cannot open a directory, but its rename is on disk when it returns.
    const folder = await open(dirname(path), 'r').catch(() => undefined);
    await folder?.sync().catch(() => {});
    await folder?.close();
  } finally {
    await rm(aside, { force: true });
  }
}

/** Whether a file or a folder exists, readable or not. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    error => !isMissing(error),
  );
}

/**
 * The bytes of a profile or a file beside it.
 * @throws BoundError beyond 16 MB, and for a pipe or a device, which never end: others may have made the
 * folder
 */
export const readPlainFile = (path: string): Promise<Buffer> => readBounded(path, MAX_PROFILE_BYTES);

/** The same. Undefined if there is no such file. */
export const readIfThere = (path: string): Promise<Buffer | undefined> => ifThere(readPlainFile(path));

const ifThere = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch(error => {
    if (!isMissing(error)) throw error;
    return undefined;
  });

/**
 * The mode of a plain file. Undefined if there is none. It refuses links: in a folder from somebody else a
 * link may lead to any file of its reader.
 */
async function modeOf(path: string): Promise<number | undefined> {
  const status = await ifThere(lstat(path));
  if (status === undefined) return undefined;
  if (status.isFile()) return status.mode & 0o777;
  const what = status.isSymbolicLink() ? 'a symbolic link' : 'no plain file';
  throw new Error(
    `${path} is ${what}, and Aval writes to plain files only: put a file in its place, or name the real one`,
  );
}
