import { basename } from 'node:path';
import { type Fault, fault, jsonPath } from '../brand/profile/fault.ts';
import { judgeDocument, MAX_PROFILE_BYTES } from '../brand/profile/profile.ts';
import type { Profile } from '../brand/profile/schema.ts';
import { readJson } from '../brand/profile/strict-json.ts';
import { hiddenFaults } from '../brand/profile/texts.ts';
import { unreadClaims } from '../brand/retrieval/claim-texts.ts';
import { readKeySet } from '../brand/trust/keys.ts';
import { verifySignatures } from '../brand/trust/signature.ts';
import { expiryWarning, timeReasons } from '../brand/trust/verify-profile.ts';
import { runChecks } from './checks.ts';
import { commandLine } from './output.ts';
import { createLineOf, segmentsOf, valueAt } from './paths.ts';

export interface CheckOptions {
  readonly now: Date;
  /** Bytes of the key set that verifies the signature. Without one the signature is not checked. */
  readonly jwks?: Uint8Array | undefined;
  /** Names that the profile may not have, from `never-publish.txt`. */
  readonly neverPublish?: readonly string[] | undefined;
}

export interface Finding extends Fault {
  /** Its claim, proof or question: `clm-price`, `question “How much?”`. */
  readonly name?: string | undefined;
}

export interface CheckReport {
  /** Faults prevent a signature. In the order of the lines. */
  readonly faults: readonly Finding[];
  /** Allowed, but seldom meant. */
  readonly warnings: readonly Finding[];
  readonly claims: number;
  readonly proofs: number;
}

/**
 * Finds the faults of a profile in any state: JSON, shape, signature, and secrets, names and hidden
 * characters in its texts. Once the shape is right, also links, dates and the rest of checks.ts. A text that
 * is not JSON has no other faults.
 * @throws KeyError for a broken key set, never for a fault of the profile
 * @example
 * const { faults } = await checkProfile(await readFile('brand.json'), { now: new Date() });
 */
export async function checkProfile(bytes: Uint8Array, options: CheckOptions): Promise<CheckReport> {
  const { now, jwks, neverPublish = [] } = options;
  if (bytes.length > MAX_PROFILE_BYTES) {
    const tooLong = fault('', 'too_many_bytes', String(bytes.length), String(MAX_PROFILE_BYTES));
    return { faults: [tooLong], warnings: [], claims: 0, proofs: 0 };
  }
  const { value: document, faults: jsonFaults } = readJson(bytes);
  if (document === undefined) return { faults: jsonFaults, warnings: [], claims: 0, proofs: 0 };
  const { profile, faults: documentFaults } = judgeDocument(document);
  const table = runChecks({ document, profile, neverPublish });
  const dates = profile ? timeReasons(profile, now) : [];
  const endsSoon = profile && expiryWarning(profile, now);
  const faults = [
    ...jsonFaults,
    ...documentFaults,
    ...hiddenFaults(document),
    ...dates.filter(({ code }) => code === 'expired'),
    ...table.faults,
  ];
  const warnings = [
    ...dates.filter(({ code }) => code !== 'expired'),
    ...(endsSoon ? [endsSoon] : []),
    ...table.warnings,
    ...(profile ? unreadWarnings(profile) : []),
    ...(await signatureWarnings(document, jwks)),
  ];
  const lineOf = createLineOf(new TextDecoder().decode(bytes));
  const located = (findings: readonly Fault[]): Finding[] =>
    findings
      .map(finding => ({
        ...finding,
        line: finding.line ?? lineOf(finding.path),
        name: nameOf(document, finding.path),
      }))
      .toSorted((a, b) => a.line - b.line);
  return {
    faults: located(faults),
    warnings: located(warnings),
    claims: lengthOf(document, 'claims'),
    proofs: lengthOf(document, 'proofs'),
  };
}

function lengthOf(document: unknown, name: string): number {
  const entries = valueAt(document, [name]);
  return Array.isArray(entries) ? entries.length : 0;
}

/** For each list the member that names an entry. */
const NAMING_MEMBERS: Readonly<Record<string, string>> = {
  claims: 'claim_id',
  proofs: 'proof_id',
  questions: 'text',
};

function nameOf(document: unknown, path: string): string | undefined {
  const [list = '', index] = segmentsOf(path);
  const member = NAMING_MEMBERS[list] ?? '';
  const name = typeof index === 'number' ? valueAt(document, [list, index, member]) : undefined;
  if (typeof name !== 'string') return undefined;
  return list === 'questions' ? `question “${name}”` : name;
}

/** Warnings for claims whose text is too long for the encoder: it does not read the end. */
const unreadWarnings = (profile: Profile): Fault[] =>
  unreadClaims(profile).map(index => fault(jsonPath(['claims', index]), 'unread'));

async function signatureWarnings(document: unknown, jwks: Uint8Array | undefined): Promise<Fault[]> {
  const signatures = valueAt(document, ['signatures']) ?? [];
  if (!Array.isArray(signatures)) return [];
  if (signatures.length === 0) return [fault('signatures', 'unsigned')];
  if (!jwks) return [];
  const checks = await verifySignatures(document, await readKeySet(jwks));
  if (checks.some(({ outcome }) => outcome === 'verified')) return [];
  return [fault('signatures', 'void_signature', checks[0]?.reason ?? '')];
}

/** One line a finding, in the form of compilers, which editors link: `brand.json:31: fault: clm-price, …`. */
export function findingLines(
  file: string,
  { faults, warnings }: Pick<CheckReport, 'faults' | 'warnings'>,
): string[] {
  const line = (kind: 'fault' | 'warning', finding: Finding) => {
    const place = findingPlace(finding);
    return (
      `${basename(file)}:${finding.line ?? 1}: ${kind}: ` +
      `${place && `${place}: `}${findingText(file, finding)}`
    );
  };
  return [
    ...faults.map(finding => line('fault', finding)),
    ...warnings.map(finding => line('warning', finding)),
  ];
}

/** Claim, proof or question, and the path of the member in it: `clm-price, boundary.applicable_for`. */
function findingPlace({ name, path }: Finding): string {
  return name === undefined ? path : [name, path.replace(/^\w+\[\d+\]\.?/, '')].filter(Boolean).join(', ');
}

/** The fault, and in brackets what to do. */
function findingText(file: string, { message, fix }: Finding): string {
  if (!fix) return message;
  return `${message} (${fix.replace('aval sign FILE', () => commandLine('sign', file))})`;
}
