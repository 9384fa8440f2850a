import { shortened, visibleLine } from '../../brand/profile/visible.ts';

/** One mail, ready to send. Only `text` may have line breaks. */
export interface Mail {
  readonly from: string;
  /** One address, or several separated by commas (the team's). */
  readonly to: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `<…@…>`. Each try of a mail has the same, so that mail programs show a repeated mail once. */
  readonly messageId: string;
}

/** The port to a mail provider. Adapters: mailgun.ts, smtp.ts, which writes files too. */
export interface Mailer {
  readonly name: 'mailgun' | 'smtp' | 'file';
  /** @throws MailError */
  send(mail: Mail): Promise<Accepted>;
  /** Checks address and login without sending. @throws MailError */
  verify(): Promise<void>;
}

/** A mail that the provider took. */
interface Accepted {
  /** The server's reply on one line, with its queue id and without addresses. */
  readonly reply?: string;
  /**
   * Recipients that the server refused while it accepted others. `place` is `address 2 of 3`, never the
   * address.
   */
  readonly refused?: readonly { readonly place: string; readonly reason: MailError }[];
}

/**
 * Text for a header or a single line, at most `max` code points. Nothing in it can end the line, also after
 * decoding: `=?` would begin an encoded word (RFC 2047).
 * @example singleLine('a\r\nBcc: b'); // 'a Bcc: b'
 */
export const singleLine = (value: string, max = 120): string =>
  shortened(visibleLine(value.replaceAll('=?', '= ?')).trim(), max);

/** A server's reply for the record: one line, without addresses. */
export const replyOf = (text: string): string =>
  singleLine(text.slice(0, 500).replace(/[^\s<>"']{1,64}@[^\s<>"']{1,255}/g, '[address]'), 200);

/**
 * The codes at the beginning of a reply (RFC 5321, 4.2; RFC 3463). The log has only these, since the words of
 * a reply may name somebody.
 * @example codesIn('550 5.1.1 no such user'); // '550 5.1.1'
 */
export const codesIn = (reply: string | undefined): string | undefined =>
  /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(reply ?? '')?.[0];

/**
 * - `temporary`: surely not sent, may work soon
 * - `ambiguous`: may have been sent
 * - `permanent`: this mail was refused
 * - `configuration`: every mail is refused until the operator mends something
 */
export type MailErrorKind = 'temporary' | 'ambiguous' | 'permanent' | 'configuration';

/** A mail that was not accepted. */
export class MailError extends Error {
  readonly kind: MailErrorKind;
  /** An error code (`ECONNREFUSED`) or a status (`http-429`, `smtp-550`). */
  readonly code: string;
  /** The server's reply, as `replyOf` makes it. */
  readonly reply: string | undefined;
  /**
   * Mail is down for all: it failed before the server saw more of this mail than its sender. A failure that a
   * mail's content causes delays that mail only.
   */
  readonly isDown: boolean;

  constructor(kind: MailErrorKind, code: string, reply?: string, isDown = false) {
    super(`The mail was not accepted (${kind}, ${code}).`);
    this.name = 'MailError';
    this.kind = kind;
    this.code = code;
    this.reply = reply === undefined || reply === '' ? undefined : replyOf(reply);
    this.isDown = isDown;
  }
}

/** The kind of an error of the network or of nodemailer. Undefined for an unknown code. */
export const kindOfCode = (code: string): MailErrorKind | undefined =>
  KINDS.find(({ codes }) => codes.test(code))?.kind;

const KINDS: readonly { readonly kind: MailErrorKind; readonly codes: RegExp }[] = [
  // Never connected.
  { kind: 'temporary', codes: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EDNS)$/ },
  // Broke off. ETIMEDOUT and ECONNABORTED do not tell whether the mail was already on its way.
  { kind: 'ambiguous', codes: /^(ETIMEDOUT|ECONNABORTED|ECONNRESET|EPIPE|ERR_NETWORK|ERR_CANCELED)$/ },
  // A login, no TLS, or OpenSSL's verify codes as Node names them: the server is not the configured one.
  { kind: 'configuration', codes: /^E(NO|O)?AUTH2?$|^ETLS$|CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_/ },
  { kind: 'permanent', codes: /^(EENVELOPE|EMESSAGE)$/ },
];
