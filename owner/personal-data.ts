import { dirname, join } from 'node:path';
import { wordsOf } from '../brand/profile/texts.ts';
import { readIfThere } from './files.ts';

/** `ana@example.org`, `ana (at) example.org`. */
const EMAIL = /\S@\S|[([]at[)\]]/i;

/** Seven digits and more, as in `600 123 456`, `+34 976-00-00-00` and `12345678Z`. */
const LONG_NUMBER = /(?:\d[ .\-/]?){7,}/;

/** Letters and six digits and more: `X1234567L`, `AAA123456`, `ES91 2100 0418`. */
const DOCUMENT_NUMBER = /\b\p{L}{1,3}[ -]?(?:\d ?){6,}/u;

/**
 * A sentence about exactly recognizable personal data in a text. Undefined if there is none. Of names it
 * knows only the listed ones, so the owner must read each text.
 * @param neverPublish names, which are compared as words
 * @example personalDataIn('my number is 600 123 456', []); // 'it has a telephone or document number'
 */
export function personalDataIn(text: string, neverPublish: readonly string[]): string | undefined {
  if (EMAIL.test(text)) return 'it has an e-mail address';
  if (LONG_NUMBER.test(text) || DOCUMENT_NUMBER.test(text)) return 'it has a telephone or document number';
  const [name] = nameFinder(neverPublish)(text);
  return name === undefined ? undefined : `never-publish.txt lists “${name}”`;
}

/**
 * The names in never-publish.txt beside a profile: one a line, `#` begins a comment. None without the file.
 */
export async function readNeverPublish(profilePath: string): Promise<readonly string[]> {
  const bytes = await readIfThere(join(dirname(profilePath), 'never-publish.txt'));
  const lines = (bytes?.toString() ?? '').split(/\r?\n/).map(line => line.replace(/^\uFEFF/, '').trim());
  return lines.filter(line => line !== '' && !line.startsWith('#'));
}

/** Names of this length are also found inside words, as in `acmefoods.com`. */
const LONG_NAME = 8;

/**
 * Finds listed names in texts. They are compared as words, whatever the capitals and accents.
 * @example nameFinder(['Peñarrubia'])('for PENARRUBIA'); // ['Peñarrubia']
 */
export function nameFinder(neverPublish: readonly string[]): (text: string) => string[] {
  const names = neverPublish.map(name => ({ name, words: wordsOf(name).join(' ') }));
  return text => {
    const words = wordsOf(text.replace(/\p{Cf}/gu, '')).join(' ');
    const says = (name: string) =>
      ` ${words} `.includes(` ${name} `) ||
      (name.length >= LONG_NAME && words.replaceAll(' ', '').includes(name.replaceAll(' ', '')));
    return names.filter(listed => listed.words !== '' && says(listed.words)).map(({ name }) => name);
  };
}
