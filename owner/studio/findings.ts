import type { Fault } from '../../brand/profile/fault.ts';
import { type FindingCode, inForm, isSpanish, wordsOfFinding } from '../../brand/profile/finding-words.ts';
import { wordOf } from '../fields.ts';
import type { Path } from '../member.ts';
import { segmentsOf } from '../places.ts';

/** Something to mend or to look at, beside its field. */
export interface FieldFinding {
  readonly path: Path;
  readonly kind: 'fault' | 'warning';
  /** The part of the document that it belongs to: `claims/3`, `proofs/0`, or `` for the rest. */
  readonly group: string;
  /** What is wrong and what to do, by language. */
  readonly said: { readonly en: string; readonly es: string };
  /** Published, it would harm somebody: the owner says of each that it may be. */
  readonly harmful: boolean;
}

const HARMFUL: ReadonlySet<FindingCode> = new Set([
  'maybe_client',
  'client_name',
  'rival_figures',
  'example',
  'markup',
  'personal_number',
  'mobile_number',
  'maybe_secret',
  'bank_account',
  'foreign_email',
]);

/** The findings of a check, as the page shows them. */
export const fieldFindings = ({
  faults,
  warnings,
}: Record<'faults' | 'warnings', readonly Fault[]>): FieldFinding[] => [
  ...faults.map(one => fieldFinding('fault', one)),
  ...warnings.map(one => fieldFinding('warning', one)),
];

function fieldFinding(kind: FieldFinding['kind'], fault: Fault): FieldFinding {
  const path = segmentsOf(fault.path);
  const [list, at] = path;
  return {
    path,
    kind,
    group: typeof at === 'number' && (list === 'claims' || list === 'proofs') ? `${list}/${at}` : '',
    said: { en: saidIn('en', fault), es: saidIn('es', fault) },
    harmful: fault.found !== undefined && HARMFUL.has(fault.found.code),
  };
}

/** Whoever sees the studio signs there, with a button. */
const SIGN_COMMAND = 'aval sign FILE --renew 1y';

function saidIn(language: string, { found, ...english }: Fault): string {
  const { message, fix } = found ? wordsOfFinding(inForm(found, 'missing_field'), language) : english;
  if (fix === undefined) return message;
  const end = /[.?!]$/.test(message) ? '' : '.';
  const button = (isSpanish(language) ? '«{}»' : '“{}”').replace('{}', wordOf('sign_year', language));
  return `${message}${end} ${fix[0]?.toUpperCase()}${fix.slice(1).replace(SIGN_COMMAND, button)}.`;
}
