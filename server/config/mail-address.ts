import { domainToASCII } from 'node:url';

/** An address of a header: `Acme <hola@mg.acme.example>`. */
export interface Mailbox {
  /** Empty where there is none. */
  readonly name: string;
  readonly address: string;
}

const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const NAMED = new RegExp(`^(${QUOTED}|[^<>@]*?)\\s*<([^<>]*)>$`);

const PARTS = new RegExp(`(?:${QUOTED}|[^,])+`, 'g');

/** The addresses of a list. A comma in quotes, or before an address has come, belongs to a name. */
export function splitAddresses(list: string): string[] {
  const items: string[] = [];
  for (const part of list.match(PARTS) ?? []) {
    const last = items.at(-1);
    if (last === undefined || last.includes('@')) items.push(part.trim());
    else items[items.length - 1] = `${last}, ${part.trim()}`;
  }
  return items;
}

/**
 * Reads one address, with or without a name. A domain in other letters becomes ASCII (IDNA), because a header
 * holds ASCII alone.
 * @returns undefined for what is no address
 */
export function readMailbox(text: string): Mailbox | undefined {
  const [, writtenName = '', bracketed] = NAMED.exec(text.trim()) ?? [];
  const address = bracketed ?? text.trim();
  const isQuoted = new RegExp(`^${QUOTED}$`).test(writtenName);
  const name = isQuoted ? writtenName.slice(1, -1).replace(/\\(.)/g, '$1') : writtenName;
  const [local = '', domain = '', ...more] = address.split('@');
  const ascii = domainToASCII(domain);
  if (more.length > 0 || ascii === '' || !/^[^\s<>,;:"()[\]\\\x7f-\u{10ffff}]+$/u.test(local))
    return undefined;
  return { name: name.trim(), address: `${local}@${ascii}` };
}

/**
 * An address as a header has it: a name with a colon, a comma or a quote stands in quotes (RFC 5322, 3.2.4).
 */
export function writeMailbox({ name, address }: Mailbox): string {
  if (name === '') return address;
  const isPlain = /^[\p{L}\p{N}_' -]+$/u.test(name);
  return `${isPlain ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${address}>`;
}
