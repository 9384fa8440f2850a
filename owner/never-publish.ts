import { dirname, join } from 'node:path';
import { NEVER_PUBLISH, readNames } from './confidential-names.ts';
import { readIfThere } from './files.ts';

/** The names in the file never-publish.txt beside a profile; none where there is no such file. */
export async function neverPublishBeside(profile: string): Promise<readonly string[]> {
  const bytes = await readIfThere(join(dirname(profile), NEVER_PUBLISH));
  return readNames(bytes?.toString() ?? '');
}
