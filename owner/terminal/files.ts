import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, isMissing } from '../../brand/profile/thrown.ts';

/** Only its owner reads and writes it: a private key. */
export const OWNER_ONLY = 0o600;

/** Anybody may read it. */
export const READABLE = 0o644;

interface NewFile {
  readonly mode: number;
  /** Replaces a file that is there. */
  readonly force?: boolean | undefined;
}

/** Writes a file that is not there yet. @throws Error when it is, without `force` */
export async function createFile(path: string, text: string | Uint8Array, { mode, force }: NewFile): Promise<void> {
  // Removed first: writing into a file that is there would keep its mode, and follow a link.
  if (force) await rm(path, { force: true });
  await writeFile(path, text, { mode, flag: 'wx' }).catch(error => {
    throw codeOf(error) === 'EEXIST' ? new Error(`${path} is there already; --force replaces it`) : error;
  });
}

/** Whether a file or a folder is there, readable or not. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    error => !isMissing(error),
  );
}

/** The bytes of a file; undefined where there is none. */
export function readIfThere(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(error => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
}

/**
 * Replaces a file in one step; its mode stays. The new text is on the disk before it takes the old one's place: after a power cut one
 * of the two is there, whole.
 * @param name of the text before that: a caller with a lock gives one, so that its next save removes what a cut save left
 */
export async function replaceFile(path: string, text: string, name = `.${randomUUID()}.tmp`): Promise<void> {
  const target = await realpath(path);
  const { mode } = await stat(target);
  const aside = join(dirname(target), name);
  await rm(aside, { force: true });
  try {
    const file = await open(aside, 'wx', OWNER_ONLY);
    try {
      await file.writeFile(text);
      await file.chmod(mode & 0o777);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, target);
    // A directory cannot be opened on Windows, where a rename is on the disk when it returns.
    const folder = await open(dirname(target), 'r').catch(() => undefined);
    await folder?.sync().catch(() => {});
    await folder?.close();
  } finally {
    await rm(aside, { force: true });
  }
}

/** Replaces a file, or makes it where there is none. */
export async function putFile(path: string, text: string): Promise<void> {
  if (await exists(path)) await replaceFile(path, text);
  else await createFile(path, text, { mode: READABLE });
}
