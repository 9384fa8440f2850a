import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type Json, receive, type Sending } from '../http/receive.ts';
import { folderWith, ROOT, temporaryFolder } from '../support/folder.ts';
import { aval, startProcess } from '../support/server-process.ts';
import { startSmtp } from '../support/smtp-server.ts';
import { DIAGNOSTIC, PARTNER } from '../support/submission-support.ts';
import { countText, exchange } from '../support/support.ts';
import { bytesOf, ES256_KEY, keySet, PROFILE, signedBytes } from '../trust/signed-profile.ts';

export { callTool } from '../mcp/mcp-messages.ts';
export type { Answer, Json };
export { DIAGNOSTIC, PARTNER };

/** A request; `client` is the address that a trusted proxy names. */
export interface Ask extends Omit<Sending, 'localAddress'> {
  client?: string;
}

/** A server as its operator runs it: a process of its own on a free port of loopback. */
export interface Server {
  url: string;
  port: number;
  data: string;
  send: (path: string, ask?: Ask) => Promise<Answer>;
  post: (path: string, body: unknown, ask?: Ask) => Promise<Answer>;
  mcp: (message: unknown, ask?: Ask) => Promise<Answer>;
  raw: (bytes: string) => Promise<string>;
  /** Its log. */
  said: () => string;
  stop: () => Promise<void>;
}

/** The two brands: the example of the repository, in Spanish, and an invented English one. */
export type BrandName = 'es' | 'en';

const ends: (() => unknown)[] = [];
const shared = new Map<BrandName, Promise<Server>>();
/** Servers and mail live as long as the file of tests. */
const file = { after: (end: () => unknown) => void ends.push(end) };

/** Ends the servers that a file of tests has started; each file calls it after its last test. */
export async function close(): Promise<void> {
  shared.clear();
  for (const end of ends.splice(0).toReversed()) await end();
}

/** Starts the built server and waits until it listens or has ended. */
async function launch(settings: Record<string, string>) {
  const { child, exit, stderr, wrote } = startProcess(file, 'server/main.ts', settings);
  const listening = wrote(/"event":"listening".*?"url":"([^"]+)"/);
  const url = await listening.then(([, found]) => found).catch(() => undefined);
  const stop = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { url, said: stderr, code: child.exitCode, stop };
}

/** What a server that refuses to start says, and its exit code. */
export async function refusal(
  settings: Record<string, string>,
): Promise<{ said: string; code: number | null }> {
  const { url, said, code, stop } = await launch(settings);
  await stop();
  assert.equal(url, undefined, `it started:\n${said()}`);
  return { said: said(), code };
}

/** Starts a server in a data directory of its own, behind a trusted proxy on loopback, so that tests can be many clients. */
export async function start(settings: Record<string, string> = {}): Promise<Server> {
  const host: Record<string, string> = settings.BASE_URL ? { Host: new URL(settings.BASE_URL).host } : {};
  const data = settings.DATA_DIR ?? temporaryFolder();
  const { url, said, stop } = await launch({ DATA_DIR: data, TRUSTED_PROXIES: '127.0.0.1/32', ...settings });
  assert.ok(url, `the server did not start:\n${said()}`);
  const port = Number(new URL(url).port);
  const send = (path: string, { client, headers, ...rest }: Ask = {}) =>
    receive(`http://127.0.0.1:${port}${path}`, {
      ...rest,
      headers: { ...host, ...(client === undefined ? {} : { 'X-Forwarded-For': client }), ...headers },
    });
  const post = (path: string, body: unknown, ask: Ask = {}) =>
    send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      ...ask,
      headers: { 'Content-Type': 'application/json', ...ask.headers },
    });
  return {
    url,
    port,
    data,
    send,
    post,
    mcp: (message, ask) => post('/mcp', message, ask),
    raw: bytes => exchange(`http://127.0.0.1:${port}`, [bytes]),
    said,
    stop,
  };
}

let clients = 0;
/** The address of somebody who has not been here. */
export function newClient(): string {
  clients += 1;
  return `10.${(process.pid + (clients >> 8)) % 256}.${clients % 256}.7`;
}

/** Runs a command of the project and returns what it printed. */
export async function command(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await aval(file, {}, ...args);
  assert.equal(code, 0, `aval ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** An invented firm, for as long as tests are run. */
const ENGLISH = { ...PROFILE, expires_at: '2036-01-01T00:00:00Z' };

/** Where a profile and its keys lie. */
interface ProfileFiles {
  brand: string;
  keys: string;
}

const filesOf = async (brand: Uint8Array): Promise<ProfileFiles> => {
  const at = folderWith({ 'brand.json': brand, 'brand.jwks.json': await keySet(ES256_KEY) });
  return { brand: at('brand.json'), keys: at('brand.jwks.json') };
};

/** A signed profile of the English firm with other members. */
export const signedProfile = async (members: object = {}): Promise<ProfileFiles> =>
  filesOf(await signedBytes({ ...ENGLISH, ...members }));

/** The same without a signature: development alone serves it. */
export const unsignedProfile = (members: object): Promise<ProfileFiles> =>
  filesOf(bytesOf({ ...ENGLISH, ...members }));

export const readJson = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'));

let english: Promise<ProfileFiles> | undefined;
/** The profile of a brand and its keys. */
export async function profileOf(name: BrandName): Promise<ProfileFiles> {
  if (name === 'es')
    return { brand: join(ROOT, 'examples/brand.json'), keys: join(ROOT, 'examples/brand.jwks.json') };
  english ??= signedProfile();
  return english;
}

/** The settings that serve a brand. */
export async function serving(name: BrandName): Promise<Record<string, string>> {
  const { brand, keys } = await profileOf(name);
  return { BRAND_FILE: brand, BRAND_JWKS: keys };
}

/** One development server for each brand, for tests that are clients of their own and submit nothing over MCP. */
export function sharedServer(name: BrandName): Promise<Server> {
  const server = shared.get(name) ?? serving(name).then(start);
  shared.set(name, server);
  return server;
}

/** A question that the brand answers, in its language, and the claim that answers it. */
export const QUESTIONS = {
  es: { query: '¿Cuánto cuesta el diagnóstico?', claim: 'clm-diagnostic-price', brand: 'Norte Claro' },
  en: { query: 'By how much do you raise the gross margin?', claim: 'clm-margin', brand: 'The Brand' },
} as const;

export const BRANDS = ['es', 'en'] as const;

const SHARED = {
  name: [2, 120],
  email: [0, 200],
  company: [1, 200],
  country: [1, 80],
  context: [10, 4000],
} as const;

/** Shortest and longest of each field, as the tables of the contract have them. */
export const FIELDS: Readonly<
  Record<'diagnostic' | 'partner', Readonly<Record<string, readonly [number, number]>>>
> = {
  diagnostic: { ...SHARED, role: [1, 120] },
  partner: { ...SHARED, size: [1, 40], level: [1, 80] },
};

/** The four paths of the forms, each with a body that it accepts. */
export const FORMS = [
  { path: '/api/v1/contact', body: DIAGNOSTIC },
  { path: '/api/contact', body: DIAGNOSTIC },
  { path: '/api/v1/partners', body: PARTNER },
  { path: '/api/partners', body: PARTNER },
] as const;

/** Sends the same request so many times, one after another. */
export async function inTurn(times: number, send: (nth: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let nth = 0; nth < times; nth += 1) answers.push(await send(nth));
  return answers;
}

/** Sends them all at once. */
export const atOnce = (times: number, send: (nth: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: times }, (_, nth) => send(nth)));

/** How many answers came with each status. */
export const statuses = (answers: Answer[]) => countText(answers.map(({ status }) => status));

const QUOTA_HEADERS = [
  'ratelimit-policy',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
];

/** The five headers of the contract, in its formats, and API-Version. */
export function assertHeaders({ headers }: { headers: Headers }, what: string): void {
  assert.equal(headers.get('api-version'), '1', `${what}: API-Version`);
  const item = (members: string) => new RegExp(`^"[a-z-]+";${members}(, "[a-z-]+";${members})*$`);
  assert.match(headers.get('ratelimit-policy') ?? '', item('q=\\d+;w=\\d+'), `${what}: RateLimit-Policy`);
  assert.match(headers.get('ratelimit') ?? '', item('r=\\d+;t=\\d+'), `${what}: RateLimit`);
  for (const name of QUOTA_HEADERS.slice(2))
    assert.match(headers.get(name) ?? '', /^\d+$/, `${what}: ${name}`);
}

/** API-Version alone of those headers: the exception of the contract. */
export function assertOnlyVersion({ headers }: { headers: Headers }, what: string): void {
  assert.equal(headers.get('api-version'), '1', `${what}: API-Version`);
  for (const name of QUOTA_HEADERS) assert.equal(headers.get(name), null, `${what}: ${name}`);
}

/** The body of an error, as the contract's table has it. */
export function assertError(
  { status, json }: Answer,
  expected: [status: number, code: string],
  what = expected[1],
): void {
  assert.deepEqual([status, json?.code], expected, what);
  assert.equal(json.ok, false, what);
  for (const member of ['error', 'hint']) {
    assert.equal(typeof json[member], 'string', `${what}: ${member}`);
    assert.notEqual(json[member], '', `${what}: ${member}`);
  }
  const members = ['ok', 'error', 'code', 'hint', ...(expected[1] === 'validation_error' ? ['issues'] : [])];
  assert.deepEqual(Object.keys(json).toSorted(), members.toSorted(), `${what}: members`);
  if (expected[1] !== 'validation_error') return;
  assert.ok(json.issues.length > 0, what);
  for (const issue of json.issues) assert.match(issue, /^[^:]+: .+/, what);
}

/** A mail as the team or a submitter gets it. */
interface Mail {
  to: string;
  text: string;
}

/** A mail server on loopback that keeps what it gets. */
interface Mailbox {
  url: string;
  mails: () => Mail[];
  /** Waits until so many mails to this address have come. */
  until: (to: string, count: number) => Promise<Mail[]>;
  of: (to: string) => Mail[];
}

const unquoted = (mail: string) => {
  const bytes = mail
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
};

const messageId = (text: string) => /^Message-ID: .+$/m.exec(text)?.[0];

export async function mailbox(): Promise<Mailbox> {
  const smtp = await startSmtp(file);
  // Where an acknowledgement is late, mail comes again under its Message-ID (RFC 5321, 6.1): that is one mail.
  const mails = () => {
    const all = smtp.mails.map(({ to, source }) => ({ to, text: unquoted(source) }));
    return [...new Map(all.map(mail => [`${mail.to} ${messageId(mail.text)}`, mail])).values()];
  };
  const of = (to: string) => mails().filter(mail => mail.to === to);
  const until = async (to: string, count: number) => {
    while (of(to).length < count) await smtp.received(smtp.mails.length + 1);
    return of(to);
  };
  return { url: smtp.url, mails, until, of };
}

/** A production server that mails through this address to `team@brand.example`. */
export const TEAM = 'team@brand.example';
export const production = async (smtp: string, settings: Record<string, string> = {}): Promise<Server> =>
  start({
    ...(await serving('en')),
    NODE_ENV: 'production',
    BASE_URL: 'https://brand.example',
    SMTP_URL: smtp,
    MAIL_FROM: 'The Brand <post@brand.example>',
    MAIL_TO: TEAM,
    ...settings,
  });
