import { keysBeside } from '../../brand/trust/keys.ts';
import { type CheckReport, checkProfile, findingLines } from '../../owner/check-profile.ts';
import { readIfThere, readPlainFile } from '../../owner/files.ts';
import { type ExitCode, type Output, writeJson, writeLines } from '../../owner/output.ts';
import { readNeverPublish } from '../../owner/personal-data.ts';
import { countText } from '../../tools/words/counts.ts';

interface CheckOptions {
  readonly json?: boolean;
  /** Warnings fail too, for continuous integration. */
  readonly strict?: boolean;
  /** File of the public keys. Default: FILE.jwks.json beside FILE.json, if it exists. */
  readonly jwks?: string;
  readonly now?: Date;
}

/**
 * `aval check FILE`: prints every fault and warning with line, claim and fix. Exit code 1 for a fault, with
 * `strict` also for a warning.
 * @throws Error if the file cannot be read, KeyError for a broken key set
 */
export async function check(
  file: string,
  options: CheckOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { now = new Date(), json, strict } = options;
  const jwks = await (options.jwks === undefined
    ? readIfThere(keysBeside(file))
    : readPlainFile(options.jwks));
  const report = await checkProfile(await readPlainFile(file), {
    now,
    jwks,
    neverPublish: await readNeverPublish(file),
  });
  const failed = report.faults.length > 0 || (strict === true && report.warnings.length > 0);
  if (json) {
    writeJson(stdout, { file, ok: !failed, ...report });
    return failed ? 1 : 0;
  }
  writeLines(stdout, findingLines(file, report));
  writeLines(stderr, [summary(file, report)]);
  if (!jwks)
    writeLines(stderr, [
      `The signature was not looked at: there is no ${keysBeside(file)}; --jwks names the keys.`,
    ]);
  return failed ? 1 : 0;
}

function summary(file: string, { faults, warnings, claims, proofs }: CheckReport): string {
  const counts = [
    countText(claims, 'claim'),
    countText(proofs, 'proof'),
    countText(faults.length, 'fault'),
    countText(warnings.length, 'warning'),
  ];
  return `${file}: ${counts.join(', ')}`;
}
