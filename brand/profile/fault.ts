import { FINDINGS, type FindingCode } from './findings.ts';

/** One thing wrong with a document: where, what, and what to do about it. Each is one line of text. */
export interface Fault {
  /** As a reader would write it: `claims[3].proof_ids[0]`; empty for the document as a whole. */
  readonly path: string;
  readonly message: string;
  readonly fix?: string;
  /** Line of the file, counted from 1, where it is known. */
  readonly line?: number;
  /** Names the kind of fault for programs. */
  readonly code?: string;
}

/** The fault of a code, its words filled with the values. */
export function fault(path: string, code: FindingCode, ...values: readonly string[]): Fault {
  const [message, fix] = FINDINGS[code];
  return { path, code, message: filled(message, values), fix: filled(fix, values) };
}

const filled = (text: string, values: readonly string[]): string =>
  text.replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? '');

/** `claims[3].proof_ids[0]: no such proof (line 41)` */
export function renderFault({ path, message, line }: Fault): string {
  const where = line === undefined ? '' : ` (line ${line})`;
  return `${path === '' ? message : `${path}: ${message}`}${where}`;
}

/** Member names and array positions as one path; a name that is no plain word stands in quotes. */
export function jsonPath(segments: readonly PropertyKey[]): string {
  return segments.reduce<string>((path, segment) => {
    if (typeof segment === 'number') return `${path}[${segment}]`;
    const name = String(segment);
    if (!/^[A-Za-z_$][\w$-]{0,99}$/.test(name)) return `${path}[${quote(name)}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');
}

/** Foreign text in quotes, at most 60 characters, harmless to a terminal: no control or direction characters. */
export function quote(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, character => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
