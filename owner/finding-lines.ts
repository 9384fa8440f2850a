import { basename } from 'node:path';
import { isSpanish, wordsOfFinding } from '../brand/profile/finding-words.ts';
import type { CheckReport, Finding } from './check-profile.ts';
import { ownCommand, quoted } from './own-command.ts';

const KINDS = { fault: ['fault', 'error'], warning: ['warning', 'aviso'] } as const;

/** One line a finding, as compilers write them, so that editors jump to it; in the language of the profile. */
export function findingLines(file: string, { faults, warnings, language }: CheckReport): string[] {
  const spanish = isSpanish(language);
  const line = (kind: keyof typeof KINDS, finding: Finding) => {
    const { line: at = 1, claim_id, path } = finding;
    const member = claim_id === undefined ? path : path.replace(/^claims\[\d+\]\.?/, '');
    const where = [claim_id, member].filter(Boolean).join(', ');
    return `${basename(file)}:${at}: ${KINDS[kind][spanish ? 1 : 0]}: ${where && `${where}: `}${findingText(file, finding, language)}`;
  };
  return [...faults.map(finding => line('fault', finding)), ...warnings.map(finding => line('warning', finding))];
}

/** What is wrong, and in brackets what to do, in the language of the profile. */
export function findingText(file: string, finding: Finding, language: string): string {
  const { message, fix } = finding.found ? wordsOfFinding(finding.found, language) : finding;
  return fix === undefined ? message : `${message} (${asTyped(fix, file)})`;
}

/** `aval sign FILE` as it works here. */
const asTyped = (fix: string, file: string): string =>
  fix.replace('aval sign FILE', `${ownCommand().here} sign ${quoted(file)}`);
