import { type Found, wordsOfFinding } from './finding-words.ts';

/** One thing wrong with a document: where, what, and what to do about it. Each is one line of text. */
export interface Fault {
  /** As a reader would write it: `claims[3].proof_ids[0]`; empty for the document as a whole. */
  readonly path: string;
  readonly message: string;
  readonly fix?: string;
  /** Line of the file, counted from 1, where it is known. */
  readonly line?: number;
  /** The same as data, for other languages; absent where only a program reads it. */
  readonly found?: Found;
}

/** A fault in English, with the facts that word it in any other language. */
export function fault(path: string, code: Found['code'], ...values: readonly string[]): Fault {
  const found = { code, values };
  return { path, ...wordsOfFinding(found, 'en'), found };
}

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
