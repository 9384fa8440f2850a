import { foldedText } from '../brand/profile/folded-text.ts';
import { commandWords, type Sentence } from './command-words.ts';

/** What a sheet gets wrong, and what fills the gaps of the sentence. */
export interface SheetFault {
  readonly code: Sentence;
  readonly values: readonly string[];
}

/** A fault of a sheet in the language of the profile. */
export const sheetWords = ({ code, values }: SheetFault, language: string): string =>
  commandWords(language).say(code, ...values);

/** A sheet that cannot be read at all. The message is in English; `fault` is worded in any language. */
export class SheetError extends Error {
  override readonly name = 'SheetError';
  readonly fault: SheetFault;
  constructor(code: SheetFault['code'], values: readonly string[] = [], options?: ErrorOptions) {
    super(sheetWords({ code, values }, 'en'), options);
    this.fault = { code, values };
  }
}

/** Lower-case words without accents and signs: "No se aplica a:" and "no_se_aplica_a" are one heading. */
export function plain(text: string): string {
  return (foldedText(text).match(/[a-z0-9]+/g) ?? []).join(' ');
}
