/** What an operator can do about a code; the first row that fits. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [
    /^ETLS$/,
    'it offers no TLS, and the password would go in clear: use smtps://, or a server with STARTTLS; ' +
      'ALLOW_INSECURE=1 sends it all the same',
  ],
  [
    /^ERR_SSL_WRONG_VERSION_NUMBER$/,
    'this port begins without TLS: use smtp:// there (it asks for STARTTLS; usual port 587), ' +
      'or smtps:// with port 465',
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_/,
    'its certificate has expired, is for another host name, or is signed by an unknown authority: ' +
      'use the name in the certificate; for an authority of yours set NODE_EXTRA_CA_CERTS',
  ],
  [
    /^ETIMEDOUT$/,
    'no greeting came: a port that begins with TLS, such as 465, needs smtps://; ' +
      'else check host, port and firewall',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'there is no such host: check it in SMTP_URL or MAILGUN_URL; ' +
      '/ ? # and @ in a password are written %2F %3F %23 %40',
  ],
  [/^ECONNREFUSED$/, 'nothing listens there: check host and port'],
  [
    /^(EAUTH|ENOAUTH|EOAUTH2|smtp-53[045])$/,
    'check user and password in SMTP_URL; an account with two-step login needs an app password',
  ],
  [
    /^smtp-5/,
    'it refuses: check that this login may send from MAIL_FROM to MAIL_TO, and that the server takes mail ' +
      'from this machine',
  ],
  [
    /^http-40[134]$/,
    'check MAILGUN_API_KEY and MAILGUN_DOMAIN. A domain of the EU region needs ' +
      'MAILGUN_URL=https://api.eu.mailgun.net, one of the US region none. ' +
      'A sandbox domain sends to its authorized recipients alone',
  ],
  [
    /^http-4(00|02|20)$/,
    'log in to Mailgun, which says why: a new domain must be verified, ' +
      'and a sandbox domain sends to its authorized recipients alone',
  ],
  [/^(smtp-4|http-(408|429|5))/, 'the mail server is busy or has a fault: wait, or ask who runs it'],
];

/** What an operator can do about a `MailError`, by its code. `aval doctor` and the log say it. */
export const mailFix = (code: string): string | undefined =>
  FIXES.find(([pattern]) => pattern.test(code))?.[1];
