import { dirname, join } from 'node:path';
import { readIfThere } from './files.ts';

/**
 * The names that are never published, from never-publish.txt beside a profile: one a line, `#` begins a comment. It stays on the
 * owner's machine; where there is none, there are no names.
 */
export async function neverPublishBeside(profile: string): Promise<readonly string[]> {
  const bytes = await readIfThere(join(dirname(profile), 'never-publish.txt'));
  const lines = (bytes?.toString() ?? '').split(/\r?\n/).map(line => line.replace(/^\uFEFF/, '').trim());
  return lines.filter(line => line !== '' && !line.startsWith('#'));
}
