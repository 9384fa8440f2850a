import { type Fault, fault, jsonPath } from './fault.ts';

interface Text {
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

/** Every text of a document with its path; signatures and `$schema` say nothing to anybody. */
export function textsIn(value: unknown, path: readonly PropertyKey[] = []): Text[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    path.length === 0 && /^(?:signatures|\$schema)$/.test(name)
      ? []
      : textsIn(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/**
 * Control characters but tab and line breaks, and those that turn the direction of a text (bidi embeddings, overrides and
 * isolates; CVE-2021-42574): what they do is not seen, and a reader is shown other words than an agent reads.
 */
const HIDDEN = /(?![\t\n\r])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u;

/** Texts with a character that hides what they say. An owner may not sign one; a server goes on with one, and warns. */
export function hiddenFaults(document: unknown): Fault[] {
  return textsIn(document).flatMap(({ path, text }) => {
    const [character] = HIDDEN.exec(text) ?? [];
    return character === undefined ? [] : [fault(jsonPath(path), 'hidden_character', nameOf(character))];
  });
}

/** Of a character: `U+202E`. */
const nameOf = (character: string) =>
  `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
