import type { Profile } from '../../brand/profile/schema.ts';

/** A claim or a proof as a file has it, whole or not, and where it stands there. */
export interface ImportedPart {
  /** Members as brand.json has them; what the file does not say is not there. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Where: `row 4` or `line 12`. */
  readonly place: string;
  /** What the row said when `aval export` wrote it (export-mark.ts). */
  readonly mark?: string;
}

/** What a file says, in its order. */
export interface Imported {
  readonly claims: readonly ImportedPart[];
  readonly proofs: readonly ImportedPart[];
  /** Members that the file knows at all: one that is known and empty is empty on purpose. */
  readonly known: readonly string[];
  /** What could not be taken, in words with its place. */
  readonly faults: readonly string[];
  /** What was passed over. */
  readonly notes: readonly string[];
}

/** What goes out: the language decides the headings. */
export type Exported = Pick<Profile, 'claims' | 'proofs' | 'language'>;

/** A file cannot be read at all; the message says why and what to do, in one line. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
}

/** @throws ExchangeError for bytes that are not UTF-8: a guess would turn every ñ into something else */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ExchangeError('is not UTF-8: save it as "CSV UTF-8" or, in the text editor, with the encoding UTF-8');
  }
}
