import { domainToASCII } from 'node:url';
import parseAddresses from 'nodemailer/lib/addressparser';

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
 * Writes an address. A name that is not plain words gets quotes (RFC 5322, 3.2.4). Its letters stay as they
 * are: the adapters of the mail providers encode them.
 */
export function writeMailbox({ name, address }: Mailbox): string {
  if (name === '') return address;
  const isPlain = /^[\w' -]+$/.test(name);
  return `${isPlain ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${address}>`;
}
