import { domainToASCII } from 'node:url';
import parseAddresses from 'nodemailer/lib/addressparser';
import { encodeWord } from 'nodemailer/lib/mime-funcs';

/** An address of a header: `Acme <hola@mg.acme.example>`. */
interface Mailbox {
  /** Empty where there is none. */
  readonly name: string;
  readonly address: string;
}

/**
 * Reads a list of addresses. A domain in other letters becomes ASCII (IDNA), because a header holds ASCII
 * alone.
 * @returns undefined if one of them is no address
 * @example readMailboxes('Acme <a@b.example>'); // [{ name: 'Acme', address: 'a@b.example' }]
 */
export function readMailboxes(list: string): Mailbox[] | undefined {
  const mailboxes: Mailbox[] = [];
  for (const { name, address = '' } of parseAddresses(list)) {
    const [local = '', domain = '', ...more] = address.split('@');
    const ascii = domainToASCII(domain);
    const isLocal = /^[^\s<>,;:"()[\]\\\x7f-\u{10ffff}]+$/u.test(local);
    if (more.length > 0 || ascii === '' || !isLocal) return undefined;
    mailboxes.push({ name, address: `${local}@${ascii}` });
  }
  return mailboxes;
}

/**
 * Writes an address for a header, in ASCII: other letters become encoded words (RFC 2047). A name with a
 * colon, comma or quote gets quotes (RFC 5322, 3.2.4).
 */
export function writeMailbox({ name, address }: Mailbox): string {
  if (name === '') return address;
  return `${writeName(name)} <${address}>`;
}

function writeName(name: string): string {
  if (/^[\w' -]+$/.test(name)) return name;
  if (/^[\x20-\x7e]+$/.test(name)) return `"${name.replace(/["\\]/g, '\\$&')}"`;
  return encodeName(name);
}

/**
 * Plain words stay as they are, and neighbours share an encoded word while they fit in it: some readers show
 * a space between two encoded words (Python before 3.13), so a word is broken only where it is too long.
 */
function encodeName(name: string): string {
  const parts: string[] = [];
  for (const word of name.split(' ')) {
    const before = parts.at(-1);
    const longer = `${before} ${word}`;
    if (before === undefined || isPlain(before) || isPlain(word)) parts.push(word);
    else if (isOneWord(encodeText(longer))) parts.splice(-1, 1, longer);
    else parts.push(` ${word}`);
  }
  return parts.map(part => (isPlain(part) ? part : encodeText(part))).join(' ');
}

const isPlain = (word: string) => /^[\w'-]*$/.test(word);

/** Readable (Q) where that is one word of at most 75 characters, else base64 (B). */
function encodeText(text: string): string {
  const readable = encodeWord(text, 'Q', MAX_ENCODED_WORD);
  return isOneWord(readable) ? readable : encodeWord(text, 'B', MAX_ENCODED_WORD);
}

const MAX_ENCODED_WORD = 75;

const isOneWord = (encoded: string) => !encoded.includes(' ');
