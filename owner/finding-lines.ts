import { basename } from 'node:path';
import type { CheckReport, Finding } from './check-profile.ts';
import { ownCommand, quoted } from './own-command.ts';

/** One line a finding, as compilers write them, so that editors jump to it: `brand.json:31: fault: clm-price, …`. */
export function findingLines(
  file: string,
  { faults, warnings }: Pick<CheckReport, 'faults' | 'warnings'>,
): string[] {
  const line = (kind: 'fault' | 'warning', finding: Finding) => {
    const place = findingPlace(finding);
    return `${basename(file)}:${finding.line ?? 1}: ${kind}: ${place && `${place}: `}${findingText(file, finding)}`;
  };
  return [
    ...faults.map(finding => line('fault', finding)),
    ...warnings.map(finding => line('warning', finding)),
  ];
}

/** The claim, the proof or the question, and the path of the member in it: `clm-price, boundary.applicable_for`. */
export function findingPlace({ claim_id, proof_id, question, path }: Finding): string {
  const name = claim_id ?? proof_id ?? (question && `question “${question}”`);
  if (name === undefined) return path;
  return [name, path.replace(/^\w+\[\d+\]\.?/, '')].filter(Boolean).join(', ');
}

/** What is wrong, and in brackets what to do. */
export function findingText(file: string, { message, fix = '' }: Finding): string {
  // `aval sign FILE` as it works here.
  const typed = fix.replace('aval sign FILE', () => `${ownCommand().here} sign ${quoted(file)}`);
  return typed === '' ? message : `${message} (${typed})`;
}
