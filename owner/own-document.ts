import type { Fault } from '../brand/profile/fault.ts';
import { readJson } from '../brand/profile/strict-json.ts';
import { languageIn } from './draft.ts';
import { findingLines } from './finding-lines.ts';

/** A profile's file that is not JSON. The message is in the language of the profile. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly #file: string;
  readonly #faults: readonly Fault[];
  constructor(file: string, faults: readonly Fault[], language: string) {
    super(linesOf(file, faults, language));
    this.#file = file;
    this.#faults = faults;
  }

  saidIn(language: string): string {
    return linesOf(this.#file, this.#faults, language);
  }
}

const linesOf = (file: string, faults: readonly Fault[], language: string) =>
  findingLines(file, { faults, warnings: [], language }).join('\n');

/** What a profile's file says, in any state but broken JSON, and its language. @throws DocumentError */
export function readDocument(bytes: Uint8Array, file: string): { document: unknown; language: string } {
  const { value, faults } = readJson(bytes);
  const language = languageIn(value);
  if (faults.length > 0) throw new DocumentError(file, faults, language);
  return { document: value, language };
}
