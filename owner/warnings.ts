import { clientWarnings } from '../brand/profile/client-name.ts';
import { type Fault, fault, jsonPath, quote } from '../brand/profile/fault.ts';
import type { FindingCode } from '../brand/profile/finding-words.ts';
import { isLoopback } from '../brand/profile/loopback.ts';
import { type Claim, Color, type Proof } from '../brand/profile/schema.ts';
import { expiryWarning, timeReasons } from '../brand/trust/verify-profile.ts';
import { figuresIn } from './figures.ts';
import { EXAMPLE_CLAIM } from './new-profile.ts';

/** A profile in any state: the parts of it that can be judged, each with its position. */
export interface Draft {
  readonly issued_at?: string | undefined;
  readonly expires_at?: string | undefined;
  readonly language: string;
  readonly colors: Readonly<Record<string, unknown>>;
  readonly privacy_policy_url?: unknown;
  readonly claims: readonly { readonly at: number; readonly part: Claim }[];
  readonly proofs: readonly { readonly at: number; readonly part: Proof }[];
  /** Of every claim, broken ones too; undefined where it has none. */
  readonly claimIds: readonly (string | undefined)[];
  /** Proofs that some claim names, a broken one too. */
  readonly usedProofs: ReadonlySet<string>;
}

/** "n/a", "everyone", "ninguno": half a boundary, though the schema is satisfied. */
const SHORTEST_BOUNDARY = 15;

/** What a boundary says that excludes nothing, in Spanish and English. */
const EXCLUDES_NOTHING =
  /^(?:no hay (?:exclusiones|límites|excepciones)|sin (?:exclusiones|límites|excepciones)|no (?:se )?excluye|no aplica|a nadie|there (?:are|is) no|no (?:exclusions|limits|exceptions|restrictions)|nobody|nothing|none|not applicable|applies to (?:all|every))/i;

/** The words that agents and people know; anything else is read as it stands, and compared with nothing. */
const CONFIDENCE = ['high', 'medium', 'low'];

/** What is allowed in a claim and seldom meant: a boundary that says nothing, confidence without proof, no figure, an example. */
export function claimWarnings({ claims, language }: Draft): Fault[] {
  return claims.flatMap(({ at, part }) =>
    [
      ...boundaryWarnings(part),
      ...confidenceWarnings(part),
      ...figureWarnings(part, language),
      ...exampleWarnings(part),
    ].map(([code, path, ...values]) => fault(jsonPath(['claims', at, ...path]), code, ...values)),
  );
}

/** The same of proofs: one that no claim names, a client who seems to be named. */
export function proofWarnings({ proofs, language, usedProofs }: Draft): Fault[] {
  const unused = proofs.filter(({ part }) => !usedProofs.has(part.proof_id));
  return [
    ...unused.map(({ at }) => fault(jsonPath(['proofs', at]), 'unused_proof')),
    ...clientWarnings(proofs, language),
  ];
}

/** Members of `colors` that the pages show. */
const SHOWN_COLORS = ['primary', 'accent', 'background', 'text'];

/** Colours that the pages would pass over. */
export function colorWarnings({ colors }: Draft): Fault[] {
  const unread = SHOWN_COLORS.filter(name => name in colors && !Color.safeParse(colors[name]).success);
  return unread.map(name => fault(jsonPath(['colors', name]), 'no_color', JSON.stringify(colors[name])));
}

/** What pages and agents would show or follow as it stands: HTML, http addresses, an e-mail address that is none. */
export function textWarnings(value: unknown, path: readonly PropertyKey[] = []): Fault[] {
  if (typeof value === 'string') {
    const code = textCode(value, path);
    return code ? [fault(jsonPath(path), code)] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    path.length === 0 && /^(?:signatures|\$schema)$/.test(name)
      ? []
      : textWarnings(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

function textCode(text: string, path: readonly PropertyKey[]): FindingCode | undefined {
  if (/<\/?[a-z][^<>]*>|&(?:nbsp|amp|lt|gt|quot|#\d+);/i.test(text)) return 'markup';
  const isAddress = /(?:^|_)url$/.test(String(path.at(-1))) && URL.canParse(text);
  if (isAddress && /^http:/i.test(text) && !isLoopback(new URL(text).host)) return 'plain_http';
  return jsonPath(path) === 'contact.email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? 'no_email' : undefined;
}

/** A word like "Español" has no form of a tag: pages and tools would fall back to English. */
export function languageWarnings({ language }: Draft): Fault[] {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? [] : [fault('language', 'no_language', quote(language))];
}

/** A privacy policy that no form links to, so that nobody is asked for consent. */
export function privacyWarnings({ privacy_policy_url: url }: Draft): Fault[] {
  if (url === undefined || (typeof url === 'string' && /^https?:\/\/\S+$/.test(url))) return [];
  return [fault('privacy_policy_url', 'no_privacy_link')];
}

/** An expired profile is a fault; one that is not valid yet, or not for long, deserves a look. */
export function dateFindings(
  { issued_at = '', expires_at = '' }: Draft,
  now: Date,
): Record<'faults' | 'warnings', Fault[]> {
  if (Number.isNaN(Date.parse(issued_at)) || Number.isNaN(Date.parse(expires_at))) return { faults: [], warnings: [] };
  const dates = { issued_at, expires_at };
  const reasons = timeReasons(dates, now);
  return {
    faults: reasons.filter(({ code }) => code === 'expired'),
    warnings: [...reasons.filter(({ code }) => code === 'not_yet_valid'), expiryWarning(dates, now) ?? []].flat(),
  };
}

type ClaimWarning = readonly [code: FindingCode, path: readonly string[], ...values: readonly string[]];

function boundaryWarnings({ boundary }: Claim): ClaimWarning[] {
  const { applicable_for, not_applicable_for } = boundary;
  const excluding = ['boundary', 'not_applicable_for'];
  if (applicable_for.trim() === not_applicable_for.trim()) return [['same_boundary', excluding]];
  const short = Object.entries(boundary).filter(([, text]) => text.trim().length < SHORTEST_BOUNDARY);
  if (short.length === 0 && EXCLUDES_NOTHING.test(not_applicable_for.trim())) return [['open_boundary', excluding]];
  return short.map(([half]) => ['short_boundary', ['boundary', half]]);
}

function confidenceWarnings({ confidence, proof_ids }: Claim): ClaimWarning[] {
  if (!CONFIDENCE.includes(confidence)) return [['confidence_word', ['confidence'], JSON.stringify(confidence)]];
  return confidence === 'high' && proof_ids.length === 0 ? [['high_without_proof', ['confidence']]] : [];
}

/** Words of somebody who has a figure and does not say it. */
const VAGUE =
  /(?<!\p{L})(?:much[oa]s|vari[oa]s|numeros[oa]s|poc[oa]s|r[áa]pid\p{L}+|pronto|barat\p{L}+|econ[óo]mic\p{L}+|a menudo|many|several|numerous|few|fast|quick(?:ly)?|soon|cheap(?:ly)?|affordable|often)(?!\p{L})/iu;

function figureWarnings({ statement, metric }: Claim, language: string): ClaimWarning[] {
  return !metric && VAGUE.test(statement) && figuresIn(statement, language).length === 0
    ? [['no_figure', ['statement']]]
    : [];
}

function exampleWarnings({ claim_id }: Claim): ClaimWarning[] {
  return claim_id.startsWith(EXAMPLE_CLAIM) ? [['example', []]] : [];
}
