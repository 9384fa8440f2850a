import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '../../brand/profile/thrown.ts';
import { NEVER_PUBLISH, readNames } from '../guards/confidential-names.ts';

/** The names in the file never-publish.txt beside a profile; none where there is no such file. */
export async function neverPublishBeside(profile: string): Promise<readonly string[]> {
  try {
    return readNames(await readFile(join(dirname(profile), NEVER_PUBLISH), 'utf8'));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
