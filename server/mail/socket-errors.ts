import type { MailErrorKind } from './mailer.ts';

/** What a network error says about the mail. `undefined`: no code of ours. */
export function kindOfSocketError(code: string): MailErrorKind | undefined {
  if (NEVER_CONNECTED.has(code)) return 'temporary';
  if (BROKE_OFF.has(code)) return 'ambiguous';
  if (CERTIFICATE.test(code)) return 'configuration';
  return undefined;
}

const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN']);

/** ETIMEDOUT and ECONNABORTED do not tell whether the mail was already on its way. */
const BROKE_OFF = new Set(['ETIMEDOUT', 'ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_NETWORK', 'ERR_CANCELED']);

/** OpenSSL's verify codes as Node names them: the server is not the one that is configured. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_/;
