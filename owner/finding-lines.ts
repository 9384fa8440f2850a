import { basename } from 'node:path';
import { isSpanish, wordsOfFinding } from '../brand/profile/finding-words.ts';
import type { CheckReport, Finding } from './check-profile.ts';
import { commandWords } from './command-words.ts';
import { labelOf, wordOf } from './fields.ts';
import { ownCommand, quoted } from './own-command.ts';
import { segmentsOf } from './places.ts';

/** One line a finding, as compilers write them, so that editors jump to it; in the language of the profile. */
export function findingLines(
  file: string,
  { faults, warnings, language }: Pick<CheckReport, 'faults' | 'warnings' | 'language'>,
): string[] {
  const { say } = commandWords(language);
  const line = (kind: 'fault' | 'warning', finding: Finding) => {
    const where = findingPlace(finding, language);
    return `${basename(file)}:${finding.line ?? 1}: ${say(kind)}: ${where && `${where}: `}${findingText(file, finding, language)}`;
  };
  return [
    ...faults.map(finding => line('fault', finding)),
    ...warnings.map(finding => line('warning', finding)),
  ];
}

const PARTS: Readonly<Record<string, string>> = { claims: 'claim', proofs: 'proof', questions: 'question' };

/** The claim, the proof or the question, and the member: its path in English, in Spanish the label that the studio gives it. */
export function findingPlace({ claim_id, proof_id, question, path }: Finding, language: string): string {
  const [list = '', at, ...member] = segmentsOf(path);
  const part = PARTS[list];
  const asked = question && (isSpanish(language) ? `pregunta «${question}»` : `question “${question}”`);
  const name = claim_id ?? proof_id ?? asked;
  if (!isSpanish(language))
    return name === undefined ? path : [name, path.replace(/^\w+\[\d+\]\.?/, '')].filter(Boolean).join(', ');
  if (list === 'actions' && typeof at === 'string')
    return [wordOf(at, language), labelOf(at, member, language)].filter(Boolean).join(', ');
  if (part === undefined || typeof at !== 'number') return labelOf('brand', segmentsOf(path), language);
  return [name ?? `${wordOf(part, language).toLowerCase()} ${at + 1}`, labelOf(part, member, language)]
    .filter(Boolean)
    .join(', ');
}

/** What is wrong, and in brackets what to do, in the language of the profile. */
export function findingText(file: string, finding: Finding, language: string): string {
  const { message, fix } = finding.found ? wordsOfFinding(finding.found, language) : finding;
  return fix === undefined ? message : `${message} (${asTyped(fix, file)})`;
}

/** `aval sign FILE` as it works here. */
const asTyped = (fix: string, file: string): string =>
  fix.replace('aval sign FILE', () => `${ownCommand().here} sign ${quoted(file)}`);
