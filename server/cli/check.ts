import { wordsOfFinding } from '../../brand/profile/finding-words.ts';
import { keysBeside } from '../../brand/trust/keys.ts';
import { type CheckReport, checkProfile, type Finding } from '../../owner/check-profile.ts';
import { commandWords } from '../../owner/command-words.ts';
import { readIfThere, readOwnFile } from '../../owner/files.ts';
import { findingLines } from '../../owner/finding-lines.ts';
import { neverPublishBeside } from '../../owner/never-publish.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../../owner/output.ts';

interface CheckOptions {
  readonly json?: boolean;
  /** Warnings count as faults: for continuous integration. */
  readonly strict?: boolean;
  /** File of the public keys; default: beside FILE.json the file FILE.jwks.json, where there is one. */
  readonly jwks?: string;
  readonly now?: Date;
}

/**
 * `aval check FILE`: every fault and every warning with its line, its claim and the fix. 1 when there is a fault; with
 * `strict`, also when there is a warning.
 * @throws Error where the file cannot be read, KeyError for a key set that is none
 */
export async function check(
  file: string,
  options: CheckOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { now = new Date(), json, strict } = options;
  const jwks = await (options.jwks === undefined ? readIfThere(keysBeside(file)) : readOwnFile(options.jwks));
  const report = await checkProfile(await readOwnFile(file), {
    now,
    jwks,
    neverPublish: await neverPublishBeside(file),
  });
  const failed = report.faults.length + (strict ? report.warnings.length : 0) > 0;
  if (json) writeJson(stdout, { file, ok: !failed, ...report, ...worded(report) });
  else {
    writeLines(stdout, findingLines(file, report));
    const { say } = commandWords(report.language);
    writeLines(stderr, [summary(file, report), ...(jwks ? [] : [say('unverified', keysBeside(file))])]);
  }
  return failed ? 1 : 0;
}

function worded({ faults, warnings, language }: CheckReport): Pick<CheckReport, 'faults' | 'warnings'> {
  const said = (finding: Finding) => ({
    ...finding,
    ...(finding.found && wordsOfFinding(finding.found, language)),
  });
  return { faults: faults.map(said), warnings: warnings.map(said) };
}

function summary(file: string, { faults, warnings, claims, proofs, language }: CheckReport): string {
  const { count } = commandWords(language);
  const found = [count(faults.length, 'fault'), count(warnings.length, 'warning')];
  return `${file}: ${[count(claims, 'claim'), count(proofs, 'proof'), ...found].join(', ')}`;
}
