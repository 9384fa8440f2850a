import { request } from 'undici';
import { codeOf } from '../../brand/profile/thrown.ts';
import type { Config } from '../config/config.ts';

/** Whether the address that is published leads here. */
export async function baseUrl({ baseUrl: url }: Config) {
  if (url === undefined) return { note: 'not set: documents name the address that is listened on' };
  const { statusCode, headers } = await answerOf(`${url}${STATUS}`).catch(error => {
    throw new Error(
      `${url} does not answer (${codeOf(error)}): ` +
        'start the server, and check DNS, firewall and the proxy in front of it',
    );
  });
  if (statusCode !== 200 || headers['api-version'] === undefined) {
    throw new Error(`${url}${STATUS} answers ${statusCode}, not as this service: check the proxy's routes`);
  }
  return `${url} reaches this service`;
}

const STATUS = '/api/v1/status';

/** /mcp asks what other paths do not: that the proxy hands on the Host it was asked for. */
export async function mcp({ baseUrl: url }: Config) {
  const answer = url && (await answerOf(`${url}/mcp`, PING).catch(() => undefined));
  if (!answer) return undefined;
  if (answer.statusCode === 403) {
    throw new Error(
      `${url}/mcp answers 403: the proxy must hand on the Host header ` +
        '(nginx: proxy_set_header Host $host), and BASE_URL be the address it is asked for',
    );
  }
  if (answer.statusCode !== 200)
    throw new Error(`${url}/mcp answers ${answer.statusCode} to a ping: check the proxy's routes`);
  return `${url}/mcp answers a ping`;
}

const PING = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
} as const;

/** Without a trusted proxy all visitors share one limit; with one too many, anybody can choose an address. */
export async function proxies({ proxies: { ranges, hops }, baseUrl: url, production }: Config) {
  if (ranges.length === 0 && hops === 0) {
    if (!url?.startsWith('https:')) return 'no proxy is trusted: clients are told apart by their address';
    const says =
      'no proxy is trusted, yet https needs one in front: all visitors share one limit; ' +
      'set TRUSTED_PROXIES or TRUSTED_HOPS';
    if (production) throw new Error(says);
    return { note: says };
  }
  const trusts = ranges.length > 0 ? `trusts ${ranges.join(', ')}` : `trusts ${hops} hops`;
  if (url?.startsWith('https:') && (await trustsAnyone(url))) {
    throw new Error(
      `${trusts}, and believes an X-Forwarded-For made up by the client: trust fewer proxies or hops`,
    );
  }
  return trusts;
}

/** Two made-up addresses are two clients then, each with a whole quota. */
async function trustsAnyone(url: string): Promise<boolean> {
  const leftFor = async (address: string) => {
    const { headers } = await answerOf(`${url}${STATUS}`, { headers: { 'x-forwarded-for': address } });
    return Number(headers['ratelimit-remaining']);
  };
  const first = await leftFor('192.0.2.1').catch(() => Number.NaN);
  return first <= (await leftFor('192.0.2.2').catch(() => Number.NaN));
}

/** A wrong clock shifts signatures' dates and the promised hours. */
export async function clock({ baseUrl: url }: Config) {
  if (url === undefined) return new Date().toISOString();
  const answer = await answerOf(url, { method: 'HEAD' }).catch(() => undefined);
  if (answer?.headers.date === undefined) return { note: `not compared with ${url}, which tells no time` };
  const skewSeconds = Math.round((Date.now() - Date.parse(String(answer.headers.date))) / 1000);
  if (Math.abs(skewSeconds) > 60)
    throw new Error(`${skewSeconds} s away from ${url}: set the clock of one of them (chrony, ntpd)`);
  return `within ${Math.abs(skewSeconds)} s of ${url}`;
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
