import { readFile } from 'node:fs/promises';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import { changeLines, changesBetween } from '../guards/changes.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../terminal/output.ts';

interface DiffOptions {
  readonly json?: boolean;
}

/**
 * `aval diff A B`: what changed from one version of a profile to another, claim by claim, before and after. 1 where they
 * differ; signatures are not compared.
 * @throws JsonError for a file that is not JSON
 */
export async function diff(a: string, b: string, { json }: DiffOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const [before, after] = await Promise.all([a, b].map(async path => readStrictJson(await readFile(path))));
  const changes = changesBetween(before, after);
  if (json) writeJson(stdout, changes);
  else writeLines(stdout, changeLines(changes));
  writeLines(stderr, changes.length === 0 ? ['The two say the same.'] : []);
  return changes.length === 0 ? 0 : 1;
}
