import { FINDINGS, type FindingCode } from './findings.ts';
import { escapeInvisible, shortened } from './visible.ts';

/** A fault of a document: where, what, and what to do. Each text is one line. */
export interface Fault {
  /** `claims[3].proof_ids[0]`; empty for the whole document. */
  readonly path: string;
  readonly message: string;
  readonly fix?: string;
  /** Line of the file, from 1; absent where it is not known. */
  readonly line?: number;
  /** The kind of fault, for programs. */
  readonly code?: string;
}

/**
 * The fault of a code, with the values in its text.
 * @example fault('claims[3].proof_ids[0]', 'no_such_proof', '"prf-1"');
 */
export function fault<Code extends FindingCode>(
  path: string,
  code: Code,
  ...values: readonly string[]
): Fault & { readonly code: Code } {
  const [message, fix] = FINDINGS[code];
  return { path, code, message: fillIn(message, values), fix: fillIn(fix, values) };
}

/** Puts the values in place of `{0}`, `{1}`. */
function fillIn(text: string, values: readonly string[]): string {
  return text.replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? '');
}

/** `claims[3].proof_ids[0]: no such proof (line 41)` */
export function renderFault({ path, message, line }: Fault): string {
  const where = line === undefined ? '' : ` (line ${line})`;
  return `${path === '' ? message : `${path}: ${message}`}${where}`;
}

/**
 * Member names and indexes as one path: `claims[3].proof_ids[0]`. A name that is no plain word gets quotes.
 * @example jsonPath(['claims', 3, 'a b']); // 'claims[3]["a b"]'
 */
export function jsonPath(segments: readonly PropertyKey[]): string {
  let path = '';
  for (const segment of segments) {
    const name = String(segment);
    if (typeof segment === 'number') path += `[${segment}]`;
    else if (!/^[A-Za-z_$][\w$-]{0,99}$/.test(name)) path += `[${quote(name)}]`;
    else if (path === '') path = name;
    else path += `.${name}`;
  }
  return path;
}

/**
 * Foreign text in quotes: at most 60 characters, with invisible characters as escapes.
 * @example quote('a\u202Eb'); // '"a\\u202eb"'
 */
export function quote(text: string): string {
  return escapeInvisible(JSON.stringify(shortened(text, 60)));
}
