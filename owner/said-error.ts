import { type Found, wordsOfFinding } from '../brand/profile/finding-words.ts';

/** An error that is worded in any language. */
export class SaidError extends Error {
  override readonly name: string = 'SaidError';
  readonly saidIn: (language: string) => string;
  /** @param language of the message */
  constructor(saidIn: (language: string) => string, language = 'en') {
    super(saidIn(language));
    this.saidIn = saidIn;
  }
}

/** The page asks for what the document has no place for. */
export class EditError extends SaidError {
  override readonly name = 'EditError';
  constructor(code: Found['code'], ...values: readonly string[]) {
    super(language => wordsOfFinding({ code, values }, language).message);
  }
}
