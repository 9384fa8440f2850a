import { clientWarnings } from '../../brand/profile/client-name.ts';
import { type Fault, jsonPath } from '../../brand/profile/fault.ts';
import { type Claim, Color, type Proof } from '../../brand/profile/schema.ts';
import { expiryWarning, timeReasons } from '../../brand/trust/verify-profile.ts';
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
export function claimWarnings({ claims }: Draft): Fault[] {
  return claims.flatMap(({ at, part }) =>
    [...boundaryWarnings(part), ...confidenceWarnings(part), ...figureWarnings(part), ...exampleWarnings(part)].map(
      ({ path, ...warning }) => ({ path: jsonPath(['claims', at, ...path]), ...warning }),
    ),
  );
}

/** The same of proofs: one that no claim names, a client who seems to be named. */
export function proofWarnings({ proofs, language, usedProofs }: Draft): Fault[] {
  const unused = proofs.filter(({ part }) => !usedProofs.has(part.proof_id));
  return [
    ...unused.map(({ at }) => ({
      path: jsonPath(['proofs', at]),
      message: 'no claim names it, so no answer shows it',
      fix: 'put its id into the proof_ids of a claim, or remove it',
    })),
    ...clientWarnings(proofs, language),
  ];
}

/** Members of `colors` that the pages show. */
const SHOWN_COLORS = ['primary', 'accent', 'background', 'text'];

/** Colours that the pages would pass over. */
export function colorWarnings({ colors }: Draft): Fault[] {
  return SHOWN_COLORS.filter(name => name in colors && !Color.safeParse(colors[name]).success).map(name => ({
    path: jsonPath(['colors', name]),
    message: `${JSON.stringify(colors[name])} is no colour that the pages can show`,
    fix: 'write it as #rrggbb, such as #0a5f57',
  }));
}

/** A privacy policy that no form links to, so that nobody is asked for consent. */
export function privacyWarnings({ privacy_policy_url: url }: Draft): Fault[] {
  if (url === undefined || (typeof url === 'string' && /^https?:\/\/\S+$/.test(url))) return [];
  const fix = 'write it whole, such as https://brand.example/privacy';
  return [{ path: 'privacy_policy_url', message: 'is no address that the forms can link to', fix }];
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

interface ClaimWarning {
  readonly path: readonly string[];
  readonly message: string;
  readonly fix: string;
}

function boundaryWarnings({ boundary }: Claim): ClaimWarning[] {
  const { applicable_for, not_applicable_for } = boundary;
  const fix = 'say in a sentence for whom the claim holds, and for whom it does not';
  const excluding = ['boundary', 'not_applicable_for'];
  if (applicable_for.trim() === not_applicable_for.trim()) {
    return [{ path: excluding, message: 'says the same as applicable_for', fix }];
  }
  const short = Object.entries(boundary).filter(([, text]) => text.trim().length < SHORTEST_BOUNDARY);
  if (short.length === 0 && EXCLUDES_NOTHING.test(not_applicable_for.trim())) {
    return [{ path: excluding, message: 'excludes nothing: an agent cannot tell when not to use the claim', fix }];
  }
  return short.map(([half]) => ({ path: ['boundary', half], message: 'too short to tell anything', fix }));
}

function confidenceWarnings({ confidence, proof_ids }: Claim): ClaimWarning[] {
  const path = ['confidence'];
  if (!CONFIDENCE.includes(confidence)) {
    return [
      { path, message: `${JSON.stringify(confidence)} is no word that agents know`, fix: 'write high, medium or low' },
    ];
  }
  if (confidence !== 'high' || proof_ids.length > 0) return [];
  return [
    { path, message: 'says high, and no proof stands behind it', fix: 'name a proof in proof_ids, or say medium' },
  ];
}

function figureWarnings({ statement, metric }: Claim): ClaimWarning[] {
  if (metric || /\p{N}/u.test(statement)) return [];
  const fix = 'say how much, how many or by when; and add a metric with its window and baseline';
  return [{ path: ['statement'], message: 'has no figure, and a claim with one answers more questions', fix }];
}

function exampleWarnings({ claim_id }: Claim): ClaimWarning[] {
  if (!claim_id.startsWith(EXAMPLE_CLAIM)) return [];
  return [{ path: [], message: 'an example that aval init wrote', fix: 'replace it with a claim of yours' }];
}
