import { type Fault, fault, jsonPath } from '../brand/profile/fault.ts';
import type { FindingCode } from '../brand/profile/findings.ts';
import type { Profile } from '../brand/profile/schema.ts';
import { textsIn, wordsOf } from '../brand/profile/texts.ts';
import { badAddressPaths } from '../brand/profile/web-address.ts';
import { isExampleText } from './new-profile.ts';
import { nameFinder } from './personal-data.ts';

/** The path of a finding, and the values in its text. */
type Place = readonly [path: readonly PropertyKey[], ...values: string[]];

interface Subject {
  readonly document: unknown;
  /** Absent if the document has not the shape of a profile: then only its texts are checked. */
  readonly profile?: Profile | undefined;
  /** Names that the profile may not have. */
  readonly neverPublish: readonly string[];
}

interface Check {
  /** A fault prevents a signature. A warning needs a look. */
  readonly severity: 'fault' | 'warning';
  readonly code: FindingCode;
  readonly find: (subject: Subject) => readonly Place[];
}

/**
 * The checks beyond JSON, shape, links, dates and signature. Each is exact. The checklist of
 * skills/write-profile judges language.
 */
const CHECKS: readonly Check[] = [
  { severity: 'fault', code: 'secret', find: findSecrets },
  { severity: 'fault', code: 'listed_name', find: findListedNames },
  { severity: 'fault', code: 'no_description', find: findMissingDescription },
  { severity: 'fault', code: 'web_address', find: findBadAddresses },
  { severity: 'warning', code: 'bank_account', find: findBankAccounts },
  { severity: 'warning', code: 'example', find: findExamples },
  { severity: 'warning', code: 'no_questions', find: findMissingQuestions },
  { severity: 'warning', code: 'same_statement', find: findSameStatements },
  { severity: 'warning', code: 'two_values', find: findTwoValues },
];

/** The faults and warnings of the table. */
export function runChecks(subject: Subject): Record<'faults' | 'warnings', Fault[]> {
  const findings = (severity: Check['severity']) =>
    CHECKS.filter(check => check.severity === severity).flatMap(({ code, find }) =>
      find(subject).map(([path, ...values]) => fault(jsonPath(path), code, ...values)),
    );
  return { faults: findings('fault'), warnings: findings('warning') };
}

const pathsOfTexts = ({ document }: Subject, fits: (text: string) => boolean): Place[] =>
  textsIn(document).flatMap(({ path, text }): Place[] => (fits(text) ? [[path]] : []));

const PEM_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY/;
/** The private member of a JWK: `"d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"`. */
const JWK_KEY = /"d"\s*:\s*"[\w-]{20,}"/;
/** Keys of services by their prefix: Stripe `sk_live_…`, AWS `AKIA…`, GitHub `ghp_…`, Slack `xoxb-…`. */
const SERVICE_KEY = /\b(?:[sr]k_(?:live|test)_\w{8}|AKIA[0-9A-Z]{16}|gh[pousr]_\w{20}|xox[abprs]-[\w-]{10})/;
const SECRET = new RegExp([PEM_KEY, JWK_KEY, SERVICE_KEY].map(({ source }) => source).join('|'));

/** Searches each text with its name as JSON, because a JWK may be an object or inside a text. */
function findSecrets({ document }: Subject): Place[] {
  return textsIn(document).flatMap(({ path, text }): Place[] =>
    SECRET.test(`"${String(path.at(-1))}":"${text}"`) ? [[path]] : [],
  );
}

/** Texts of `aval init`: the description, each claim and proof once, and all questions once. */
function findExamples(subject: Subject): Place[] {
  const examples = pathsOfTexts(subject, isExampleText);
  const parts = examples.map(([path]) => path.slice(0, path[0] === 'questions' ? 1 : 2));
  const unique = new Map(parts.map(path => [jsonPath(path), path]));
  return [...unique.values()].map((path): Place => [path]);
}

function findListedNames({ document, neverPublish }: Subject): Place[] {
  const namesIn = nameFinder(neverPublish);
  return textsIn(document).flatMap(({ path, text }) => namesIn(text).map((name): Place => [path, name]));
}

function findMissingDescription({ profile }: Subject): Place[] {
  return profile && profile.description === undefined ? [[['description']]] : [];
}

function findBadAddresses({ profile }: Subject): Place[] {
  if (!profile) return [];
  const { logos, privacy_policy_url: privacyPolicyUrl } = profile;
  return badAddressPaths(Array.isArray(logos) ? logos : [], privacyPolicyUrl).map((path): Place => [path]);
}

/** `ES9121000418450200051332`, `ES91 2100 0418 4502 0005 1332` and `DE89-3704-0044-0532-0130-00`. */
const IBAN = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{4}){2,7}(?:[ -]?[A-Z\d]{1,3})?\b/g;

/** An IBAN whose check digits are right (ISO 13616): the remainder by 97 is 1. */
function findBankAccounts(subject: Subject): Place[] {
  return pathsOfTexts(subject, text => (text.match(IBAN) ?? []).some(isIban));
}

function isIban(candidate: string): boolean {
  const compact = candidate.replace(/[ -]/g, '');
  const rotated = compact.slice(4) + compact.slice(0, 4);
  let remainder = 0;
  for (const character of rotated) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

function findMissingQuestions({ profile }: Subject): Place[] {
  const { claims = [], questions = [] } = profile ?? {};
  const asked = new Set(questions.map(({ claim_id }) => claim_id));
  const missing = claims.filter(({ claim_id }) => !asked.has(claim_id)).length;
  return missing === 0 ? [] : [[['questions'], String(missing), String(claims.length)]];
}

function findSameStatements({ profile }: Subject): Place[] {
  const first = new Map<string, string>();
  return (profile?.claims ?? []).flatMap(({ claim_id, statement }, index): Place[] => {
    const words = wordsOf(statement).join(' ');
    const earlier = first.get(words);
    if (earlier !== undefined) return [[['claims', index, 'statement'], earlier]];
    first.set(words, claim_id);
    return [];
  });
}

/** Metrics with equal name, unit, window and baseline but different values. */
function findTwoValues({ profile }: Subject): Place[] {
  const first = new Map<string, { readonly id: string; readonly value: unknown }>();
  return (profile?.claims ?? []).flatMap(({ claim_id: id, metric }, index): Place[] => {
    if (!metric) return [];
    const { name, unit, window, baseline, value } = metric;
    const key = JSON.stringify([name, unit, window, baseline].map(part => wordsOf(String(part)).join(' ')));
    const earlier = first.get(key);
    if (earlier && earlier.value !== value) return [[['claims', index, 'metric', 'value'], earlier.id]];
    first.set(key, earlier ?? { id, value });
    return [];
  });
}
