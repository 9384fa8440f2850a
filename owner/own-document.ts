import { readJson } from '../brand/profile/strict-json.ts';
import { languageIn } from './draft.ts';
import { findingLines } from './finding-lines.ts';
import { SaidError } from './said-error.ts';

/** A profile's file that is not JSON. */
class DocumentError extends SaidError {
  override readonly name = 'DocumentError';
}

/** What a profile's file says, in any state but broken JSON, and its language. @throws DocumentError in that language */
export function readDocument(bytes: Uint8Array, file: string): { document: unknown; language: string } {
  const { value: document, faults } = readJson(bytes);
  const language = languageIn(document);
  if (faults.length === 0) return { document, language };
  throw new DocumentError(
    said => findingLines(file, { faults, warnings: [], language: said }).join('\n'),
    language,
  );
}
