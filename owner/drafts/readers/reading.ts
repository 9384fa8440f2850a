/** What a reader found in a page or a document: its text in blocks, in order, and what it says about the brand. */
export interface Reading {
  /** Where it was read: a file name or an address, as a person would look it up. */
  readonly source: string;
  readonly blocks: readonly Block[];
  /** Questions with their answers, as a FAQ in schema.org or a list of terms has them. */
  readonly questions: readonly Answered[];
  /** Addresses that the page links to, as they stand. */
  readonly links: readonly string[];
  readonly about: About;
}

export interface Block {
  readonly kind: 'heading' | 'text';
  readonly text: string;
}

export interface Answered {
  readonly question: string;
  readonly answer: string;
}

/** What a page says of whose it is. */
export interface About {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Language tag. */
  readonly language?: string | undefined;
  readonly email?: string | undefined;
  readonly telephone?: string | undefined;
}

/** A source cannot be read; the message says which, why, and what to do. */
export class DraftError extends Error {
  override readonly name = 'DraftError';
}

/** A source is refused before its text could fill the memory. */
export const MAX_SOURCE_BYTES = 32 * 1024 * 1024;

/** A document of more blocks is no brochure; the rest is left out. */
export const MAX_BLOCKS = 20_000;

/**
 * One line without control and direction characters, so that a document cannot write to the terminal. A letter keeps 30 accents
 * (UAX 15, stream-safe text): putting a million in order takes minutes.
 */
export const oneLine = (text: string): string =>
  text
    .replace(/(\p{M}{30})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[\u00AD\u200B\uFEFF]/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
