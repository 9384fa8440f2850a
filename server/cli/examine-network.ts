import { request } from 'undici';
import { codeOf } from '../../brand/profile/thrown.ts';
import type { Config } from '../config/config.ts';
import { HOW_TO_SEND } from '../config/mail-providers.ts';
import { mailFix } from '../mail/mail-fix.ts';
import { MailError } from '../mail/mailer.ts';
import { configuredMailer } from '../outbox/open-submissions.ts';
import { createWebhook, testEvent, WebhookError } from '../webhook/webhook.ts';
import type { Finding } from './doctor.ts';

/** Logs in to the mail server, and sends nothing. */
export async function mail(config: Config): Promise<Finding> {
  const mailer = configuredMailer(config.mail);
  if (!mailer) {
    return { note: `none is configured: submissions become files; set ${HOW_TO_SEND}` };
  }
  try {
    await mailer.verify();
    if (hasLogin(config)) return `${mailer.name} accepts the login`;
    return `${mailer.name} answers; SMTP_URL has no user and password`;
  } catch (error) {
    const code = error instanceof MailError ? error.code : 'unknown';
    const fix = mailFix(code) ?? 'check host and port, and that it takes connections from this machine';
    throw new Error(`${mailer.name} fails (${code}): ${fix}`);
  }
}

const hasLogin = ({ mail: { provider } }: Config) =>
  provider?.name !== 'smtp' || new URL(provider.url).username !== '';

/** Sends an event of the type "test". */
export async function webhook({ webhook: settings }: Config): Promise<Finding> {
  if (settings === undefined) throw new Error('none is configured: set WEBHOOK_URL and WEBHOOK_SECRET');
  const { host } = new URL(settings.url);
  try {
    await createWebhook(settings).send(testEvent());
  } catch (error) {
    const { code } = error instanceof WebhookError ? error : new WebhookError('unknown');
    const [, fix] = WEBHOOK_FIXES.find(([pattern]) => pattern.test(code)) ?? [];
    throw new Error(`${host} did not take the test (${code}): ${fix}`);
  }
  return `${host} took the test`;
}

/** What to do about a code. The first row that matches counts. */
const WEBHOOK_FIXES: readonly (readonly [RegExp, string])[] = [
  [/^http-3/, 'redirects are not followed: set WEBHOOK_URL to the address where the redirect ends'],
  [/^http-40[13]/, 'give the receiver the same WEBHOOK_SECRET, and let it ask for no other login'],
  [/^http-/, 'the receiver must take a POST of JSON at this path: its own log says why it did not'],
  [/Timeout/, 'no answer within 15 s: let the receiver answer before it works'],
  [/./, 'check host, port and https:// of WEBHOOK_URL, and the certificate there (NODE_EXTRA_CA_CERTS)'],
];

const STATUS = '/api/v1/status';

const PING = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
} as const;

/** Whether BASE_URL leads to this server, and /mcp answers to its Host. */
export async function publicAddress({ baseUrl: url }: Config): Promise<Finding> {
  if (url === undefined) return { note: 'not set: documents name the address that is listened on' };
  const status = await answerOf(`${url}${STATUS}`).catch(error => {
    throw new Error(
      `${url} does not answer (${codeOf(error)}): ` +
        'start the server, and check DNS, firewall and the proxy in front of it',
    );
  });
  if (status.statusCode !== 200 || status.headers['api-version'] === undefined)
    throw new Error(
      `${url}${STATUS} answers ${status.statusCode}, not as this service: check the proxy's routes`,
    );
  const ping = await answerOf(`${url}/mcp`, PING);
  if (ping.statusCode !== 200)
    throw new Error(
      `${url}/mcp answers ${ping.statusCode} to a ping: check the proxy's routes; ` +
        '403: it must hand on the Host header (nginx: proxy_set_header Host $host)',
    );
  return `${url} reaches this service, and /mcp answers a ping`;
}

/** Checks TRUSTED_PROXIES: too few make visitors share a limit, too many let anybody choose an address. */
export async function proxies({
  proxies: { ranges, hops },
  baseUrl: url,
  production,
}: Config): Promise<Finding> {
  const isTls = url?.startsWith('https:') === true;
  if (ranges.length === 0 && hops === 0) {
    if (!isTls) return 'no proxy is trusted: clients are told apart by their address';
    const fault =
      'no proxy is trusted, yet https needs one in front: all visitors share one limit; ' +
      'set TRUSTED_PROXIES or TRUSTED_HOPS';
    if (production) throw new Error(fault);
    return { note: fault };
  }
  const trusts = ranges.length > 0 ? `trusts ${ranges.join(', ')}` : `trusts ${hops} hops`;
  if (isTls && (await trustsAnyone(url)))
    throw new Error(
      `${trusts}, and believes an X-Forwarded-For made up by the client: trust fewer proxies or hops`,
    );
  return trusts;
}

/** Whether two made-up addresses in X-Forwarded-For count as two clients. */
async function trustsAnyone(url: string): Promise<boolean> {
  const leftFor = async (address: string) => {
    const { headers } = await answerOf(`${url}${STATUS}`, { headers: { 'x-forwarded-for': address } });
    return Number(headers['ratelimit-remaining']);
  };
  const first = await leftFor('192.0.2.1').catch(() => Number.NaN);
  return first <= (await leftFor('192.0.2.2').catch(() => Number.NaN));
}

async function answerOf(url: string, options: Parameters<typeof request>[1] = {}) {
  const { statusCode, headers, body } = await request(url, {
    headersTimeout: 5000,
    bodyTimeout: 5000,
    ...options,
  });
  await body.dump();
  return { statusCode, headers };
}
