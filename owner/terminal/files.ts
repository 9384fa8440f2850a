import { randomUUID } from 'node:crypto';
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
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

/** Replaces a file in one step, so that nobody reads half of it; its mode stays. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const target = await realpath(path);
  const { mode } = await stat(target);
  const aside = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    await writeFile(aside, text, { mode: OWNER_ONLY, flag: 'wx' });
    await chmod(aside, mode);
    await rename(aside, target);
  } finally {
    await rm(aside, { force: true });
  }
}
