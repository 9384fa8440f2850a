import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import { SERVICE } from '../../../tools/service-facts.ts';
import { DraftError } from './reading.ts';
import { type Allows, readRobots } from './robots.ts';

export interface SiteOptions {
  /** Pages that are read at most. */
  readonly pages: number;
  /** Lets in addresses of this machine and of the networks around it, because their owner named one. */
  readonly allowPrivate: boolean;
  readonly note: (message: string) => void;
}

/** What a site may cost: bytes of a page and of all, redirects of one address, time for a page and for all. */
const BOUNDS = { pageBytes: 5e6, allBytes: 60e6, redirects: 5, pageMs: 15_000, allMs: 120_000 };

const AGENT = `aval/${SERVICE.version}`;

export interface Fetched {
  readonly url: URL;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * The pages of a site from one address on: the same host, as robots.txt allows (RFC 9309), one after the other.
 * @param linksOf the addresses that a page links to
 * @throws DraftError where the first page cannot be had
 */
export async function* fetchSite(
  start: URL,
  linksOf: (page: Fetched) => readonly string[],
  { pages, allowPrivate, note }: SiteOptions,
): AsyncGenerator<Fetched> {
  if (!/^https?:$/.test(start.protocol)) throw new DraftError(`${start.href}: only http and https are read`);
  if (start.username || start.password) throw new DraftError(`${start.origin}: leave the password out of the address`);
  const agent = new Agent({ connect: { lookup: lookupOf(allowPrivate) } });
  const until = performance.now() + BOUNDS.allMs;
  const get = { agent, allowPrivate, signal: AbortSignal.timeout(BOUNDS.allMs) };
  try {
    const allows = await rulesOf(start, get);
    const waiting = [start];
    const seen = new Set([start.href]);
    let [read, bytes] = [0, 0];
    for (let url = waiting.shift(); url && read < pages; url = waiting.shift()) {
      // No signal fires while pages are read and rules are looked up; the clock goes on.
      if (performance.now() > until) return note(`${start.host}: the first ${read} pages were read, in two minutes`);
      if (!allows(url.pathname + url.search)) {
        if (read === 0) throw new DraftError(`${url.href}: robots.txt of this site forbids to read it`);
        continue;
      }
      const page = await fetchPage(url, start.host, get).catch(error => {
        if (read === 0) throw error;
        note(error instanceof DraftError ? error.message : `${url?.href}: cannot be read`);
      });
      if (!page) continue;
      [read, bytes] = [read + 1, bytes + page.bytes.length];
      yield page;
      if (bytes > BOUNDS.allBytes) return note(`${start.host}: the first ${read} pages were read, more than 60 MB`);
      for (const link of linksOf(page)) {
        const next = addressOf(link, page.url);
        if (!next || next.host !== start.host || seen.has(next.href) || seen.size > 2000) continue;
        seen.add(next.href);
        waiting.push(next);
      }
    }
    if (waiting.length > 0) note(`${start.host}: the first ${read} pages were read; --pages reads more`);
  } finally {
    await agent.destroy();
  }
}

/** Links to pages and documents; pictures, archives and other schemes are none. */
function addressOf(link: string, base: URL): URL | undefined {
  if (!URL.canParse(link, base.href)) return undefined;
  const url = new URL(link, base);
  url.hash = '';
  if (
    url.protocol !== base.protocol ||
    /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|zip|gz|mp[34]|xml|json)$/i.test(url.pathname)
  )
    return undefined;
  return url;
}

interface Get {
  readonly agent: Agent;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

/** Without a robots.txt all is allowed; one that a server fails to give forbids all (RFC 9309, 2.3.1.4). */
async function rulesOf(start: URL, get: Get): Promise<Allows> {
  const address = new URL('/robots.txt', start);
  const { statusCode, body } = await send(address, get);
  const text = new TextDecoder().decode(await readBody(body, address, 500_000));
  if (statusCode >= 500) return () => false;
  return readRobots(statusCode === 200 ? text : '', 'aval');
}

async function fetchPage(address: URL, host: string, get: Get): Promise<Fetched | undefined> {
  let url = address;
  for (let hops = 0; hops <= BOUNDS.redirects; hops += 1) {
    const { statusCode, headers, body } = await send(url, get);
    const { location } = headers;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      await body.dump({ limit: 1000 }).catch(() => {});
      const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      if (!next || !/^https?:$/.test(next.protocol))
        throw new DraftError(`${url.href}: redirects to what is no web address`);
      if (next.host !== host && next.host !== `www.${host}` && `www.${next.host}` !== host)
        throw new DraftError(`${url.href}: redirects to ${next.host}, another site: name that one if it is yours`);
      url = next;
      continue;
    }
    const bytes = await readBody(body, url, BOUNDS.pageBytes);
    if (statusCode !== 200) throw new DraftError(`${url.href}: answered ${statusCode}`);
    return { url, type: String(headers['content-type'] ?? ''), bytes };
  }
  throw new DraftError(`${address.href}: redirects more than ${BOUNDS.redirects} times`);
}

async function send(url: URL, { agent, allowPrivate, signal }: Get) {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(name) && !allowPrivate && isPrivate(name)) throw new DraftError(`${url.href}: ${PRIVATE}`);
  const headers = {
    accept: 'text/html, text/plain;q=0.8, */*;q=0.1',
    'accept-encoding': 'identity',
    'user-agent': AGENT,
  };
  try {
    return await request(url, {
      dispatcher: agent,
      headers,
      signal: AbortSignal.any([signal, AbortSignal.timeout(BOUNDS.pageMs)]),
    });
  } catch (error) {
    throw error instanceof DraftError ? error : new DraftError(`${url.href}: ${reasonOf(error)}`, { cause: error });
  }
}

async function readBody(body: AsyncIterable<Uint8Array>, url: URL, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > most) throw new DraftError(`${url.href}: is larger than ${most / 1e6} MB`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof DraftError ? error : new DraftError(`${url.href}: ${reasonOf(error)}`, { cause: error });
  }
  return Buffer.concat(chunks);
}

const PRIVATE = 'is an address of this machine or of its network: --allow-private reads it';

const isPrivate = (address: string) => !ipaddr.isValid(address) || ipaddr.process(address).range() !== 'unicast';

/** Refuses a private address where it is connected to, so that a name cannot first pass and then lead inside (DNS rebinding). */
function lookupOf(allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const inside = allowPrivate ? undefined : addresses?.find(({ address }) => isPrivate(address));
      if (error || inside) return callback(error ?? new DraftError(`${hostname}: ${PRIVATE}`), '', 0);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'does not answer in time';
  const { code = '' }: NodeJS.ErrnoException = error;
  return REASONS[code] ?? error.message;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no host of this name: look for a slip in the address',
  EAI_AGAIN: 'the name of the host cannot be looked up now: is this machine on the network?',
  ECONNREFUSED: 'nothing listens there: is the site running, and is this its port?',
};
