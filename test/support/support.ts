import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import type { TestContext } from 'node:test';
import { readConfig } from '../../server/config/config.ts';
import type { Log } from '../../server/config/log.ts';
import type { Mailer } from '../../server/mail/mailer.ts';
import type { ServedBrand } from '../../server/run/load-brand.ts';
import { Server, type ServerOptions } from '../../server/run/server.ts';
import { dataFolder, exampleBrand } from './example.ts';
import { ROOT } from './folder.ts';

export const EXAMPLE = JSON.parse(readFileSync(`${ROOT}examples/brand.json`, 'utf8'));

/** A clock that stands still until it is moved. */
class ManualClock {
  #ms = 0;
  readonly now = () => Date.UTC(2026, 10, 21) + this.#ms;
  readonly monotonic = () => this.#ms;
  advance(seconds: number): void {
    this.#ms += seconds * 1000;
  }
}

export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** The settings of a server that takes real requests, of the example brand. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  BASE_URL: 'http://127.0.0.1:8787',
  BRAND_FILE: `${ROOT}examples/brand.json`,
  BRAND_JWKS: `${ROOT}examples/brand.jwks.json`,
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'hola@norteclaro.example',
  MAIL_TO: 'equipo@norteclaro.example',
};

export interface AppOptions extends Pick<ServerOptions, 'timeouts'> {
  /** Environment variables on top of the tests' own. */
  readonly env?: Record<string, string>;
  /** `null`: none is loaded. */
  readonly brand?: ServedBrand | null;
  /** Instead of the dry run's files. */
  readonly mailer?: Mailer;
}

/** The real server on a free loopback port, with a clock of the test; stopped when the test ends. */
export async function startApp(context: TestContext, { env, brand, mailer, timeouts = {} }: AppOptions = {}) {
  const directory = dataFolder();
  const config = readConfig({ PORT: '0', DATA_DIR: directory, ...env });
  const clock = new ManualClock();
  const lines: LogLine[] = [];
  const log: Log = (level, event, fields) => lines.push({ level, event, ...fields });
  const served = brand === null ? undefined : (brand ?? (await exampleBrand()));
  const server = new Server(config, log, { load: async () => served, clock, timeouts, mailer });
  const url = await server.start();
  context.after(() => server.close());
  return {
    url,
    use: (next: ServedBrand | undefined) => server.use(next),
    clock,
    lines,
    config,
    outbox: server.outbox,
  };
}

/** Sends raw bytes and resolves with everything that came back when the server closes, or when `until` is seen. */
export function exchange(
  url: string,
  chunks: readonly (string | Uint8Array)[],
  until?: RegExp,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), hostname);
    let received = '';
    socket.on('data', data => {
      received += data.toString('latin1');
      if (until?.test(received)) socket.destroy();
    });
    socket
      .on('close', () => resolve(received))
      .on('error', error => (received ? resolve(received) : reject(error)));
    for (const chunk of chunks) socket.write(chunk);
  });
}

/** The first answer in what a socket received. */
export function readAnswer(received: string) {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers();
  for (const line of lines) headers.append(line.split(':', 1)[0] ?? '', line.replace(/^[^:]*: */, ''));
  return { status: Number(statusLine.split(' ')[1]), headers, body: body && JSON.parse(body) };
}

/** The JSON of a response, unchecked. */
export async function bodyOf(response: Response) {
  return JSON.parse(await response.text());
}

/** POST as application/json. Text and bytes are sent as they are, anything else as its JSON. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const ready = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: ready,
  });
}

/** How often each comes. */
export function countText(all: Iterable<string | number>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of all) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

/** Matches stand best first. */
export function assertBestFirst(matches: readonly { readonly similarity: number }[]): void {
  const similarities = matches.map(({ similarity }) => similarity);
  assert.deepEqual(
    similarities,
    similarities.toSorted((a, b) => b - a),
  );
}

/** The ApiError of a refusal: `ok`, `error`, `code` and `hint`, and `issues` for a validation_error alone. */
export async function assertRefused(request: Promise<Response>, code: string, status = 400) {
  const response = await request;
  const text = await response.text();
  assertDiscreet(text);
  assert.equal(response.status, status);
  const body = JSON.parse(text);
  const issues = code === 'validation_error' ? ['issues'] : [];
  assert.deepEqual(Object.keys(body), ['ok', 'error', 'code', 'hint', ...issues]);
  assert.equal(body.ok, false);
  assert.equal(body.code, code);
  assert.ok(body.error.length > 0 && body.hint.length > 0);
  return body;
}

/** An error shows nothing of what is behind it: no stack, file, library or framework's own words. */
export function assertDiscreet(text: string): void {
  assert.ok(!text.includes(ROOT), text);
  assert.doesNotMatch(
    text,
    /\bat \S+ \(|node:|node_modules|file:|\.[jt]s\b|\bh3\b|zod|\bsrvx\b|HTTPError|unhandled/i,
  );
}
