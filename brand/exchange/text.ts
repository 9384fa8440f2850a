import { ExchangeError } from './imported.ts';

/** @throws ExchangeError for bytes that are not UTF-8: a guess would turn every ñ into something else */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ExchangeError('is not UTF-8: save it as "CSV UTF-8" or, in the text editor, with the encoding UTF-8');
  }
}
