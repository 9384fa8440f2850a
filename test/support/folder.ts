import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the checkout, with a trailing slash. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const folders = mkdtempSync(join(tmpdir(), 'aval-test-'));
// Postgres and nginx run as users of their own, who have to come through here.
chmodSync(folders, 0o711);
process.once('exit', () => {
  try {
    rmSync(folders, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // A process that still writes keeps it: no fault of what was tested.
  }
});

/**
 * An empty folder. It goes with this process and not with the test: a server of the test may still be writing, and a hook that
 * fails to remove a folder keeps the hooks after it from ending that server.
 */
export function temporaryFolder(): string {
  return mkdtempSync(`${folders}/`);
}

/** A folder with these files. @returns the path of each by its name */
export function folderWith(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): (name: string) => string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), content, { mode: 0o600 });
  return name => join(folder, name);
}
