import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Mail, MailError, type MailErrorKind, type Mailer } from '../../server/mail/mailer.ts';
import { databaseFile, openDatabase } from '../../server/outbox/database.ts';
import type { Database } from '../../server/outbox/sql.ts';
import { all as allSubmissions, type Stored } from '../../server/outbox/stored-submission.ts';
import { callTool, send } from '../mcp/mcp-messages.ts';
import { type AppOptions, post, startApp } from './support.ts';

/** Limits that no test of something else meets. */
export const MANY = {
  LIMITS: 'default=100000/60,submissions=100000/60,actions=100000/60,actions-service=100000/60',
};

export const DIAGNOSTIC = {
  name: 'Ana Ruiz',
  email: 'ana.ruiz@conservas.example',
  company: 'Conservas del Norte',
  role: 'Directora de marketing',
  country: 'España',
  context: 'Vendemos en 300 tiendas y el margen baja.',
};

export const PARTNER = {
  name: 'Luis Mora',
  email: 'luis@agencia.example',
  company: 'Agencia Mora',
  size: '3 a 5',
  level: 'No estoy seguro',
  country: 'España',
  context: 'Doce clientes de alimentación en Galicia.',
};

export const DIAGNOSTIC_OK = {
  ok: true,
  message: 'Hemos recibido tu solicitud. Una persona del equipo te responderá en un plazo de 48 horas.',
};

const PARTNER_OK = {
  ok: true,
  message:
    'Hemos recibido tu candidatura al programa de partners. Una persona del equipo te responderá en un plazo de 48 horas.',
};

/** Headers that make the same fields another submission: without a key a repeat gets the first answer. */
export const anew = () => ({ 'idempotency-key': randomUUID() });

const simulated = ({ ok, message }: typeof DIAGNOSTIC_OK) => ({
  ok,
  message: `${message} Esto es una simulación: no se ha enviado nada.`,
  mode: 'dry-run',
});

/** What the forms answer outside production: the contract's message, then that it is a simulation. */
export const DRY_RUN_OK = simulated(DIAGNOSTIC_OK);
export const DRY_RUN_PARTNER_OK = simulated(PARTNER_OK);

export const KEPT = 'We have kept your request and keep trying; no need to send it again.';

/** A mailer that keeps what it gets, fails when told so, and tells when something arrived. */
export class MailDouble implements Mailer {
  readonly name = 'file';
  readonly mails: Mail[] = [];
  readonly #events = new EventEmitter();
  #failure: MailErrorKind | undefined;
  #held: Promise<unknown> | undefined;

  /** Refuses from now on; `configuration` is not tried again within the request. Without a kind: works again. */
  fail(kind?: MailErrorKind): void {
    this.#failure = kind;
  }

  /** Lets no send end until the result is called. */
  hold(): () => void {
    this.#held = once(this.#events, 'release');
    return () => {
      this.#held = undefined;
      this.#events.emit('release');
    };
  }

  async send(mail: Mail): Promise<{ reply: string }> {
    if (this.#failure !== undefined) throw new MailError(this.#failure, 'double');
    this.mails.push(mail);
    this.#events.emit('mail');
    await this.#held;
    return { reply: '250 ok' };
  }

  async verify(): Promise<void> {}

  /** Resolves once that many mails have come: confirmations leave after the answer. */
  async arrived(count: number): Promise<readonly Mail[]> {
    while (this.mails.length < count)
      await once(this.#events, 'mail', { signal: AbortSignal.timeout(240_000) });
    return this.mails;
  }

  /** The mails to an address. */
  to(address: string): Mail[] {
    return this.mails.filter(mail => mail.to === address);
  }
}

/** The real server over a MailDouble, with its surfaces as functions. */
export async function startForms(t: TestContext, { env, ...options }: Omit<AppOptions, 'mailer'> = {}) {
  const mailer = new MailDouble();
  const app = await startApp(t, { ...options, env: { MAIL_TO: TEAM, ...env }, mailer });
  const { url } = app;
  return {
    ...app,
    mailer,
    contact: (body: unknown, headers?: Record<string, string>) =>
      post(`${url}/api/v1/contact`, body, headers),
    partners: (body: unknown, headers?: Record<string, string>) =>
      post(`${url}/api/v1/partners`, body, headers),
    form: (body: URLSearchParams | FormData | Record<string, string>, headers: Record<string, string> = {}) =>
      postForm(`${url}/api/v1/contact`, body, headers),
    call: (name: string, args?: unknown, headers?: Record<string, string>) =>
      send(url, callTool(name, args), headers),
    /** How many submissions the store holds. */
    kept: () => countOf(app.outbox.database),
  };
}

export const TEAM = 'equipo@norteclaro.example';

/** A form post; a plain object goes urlencoded, as browsers do by default. */
export function postForm(
  url: string,
  body: URLSearchParams | FormData | Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const encoded =
    body instanceof FormData || body instanceof URLSearchParams ? body : new URLSearchParams(body);
  return fetch(url, { method: 'POST', headers, body: encoded, redirect: 'manual' });
}

export function multipart(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** Every submission that the store holds. */
export async function storedIn(database: Database): Promise<Stored[]> {
  const all: Stored[] = [];
  for await (const record of allSubmissions(database)) all.push(record);
  return all;
}

const countOf = async (database: Database) => (await storedIn(database)).length;

/** The same of a data directory that a process uses, or used. */
export async function storedAt(dataDirectory: string, databaseUrl?: string): Promise<Stored[]> {
  const database = await openDatabase({ dataDirectory, databaseUrl });
  return storedIn(database).finally(() => database.close());
}

/** Deletes the database under the process that uses it. */
export async function deleteDatabase(dataDirectory: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${databaseFile(dataDirectory)}${end}`, { force: true });
}

/** The .eml files of the dry run. */
export function dryRunMails(dataDirectory: string, end = '.eml'): string[] {
  const directory = join(dataDirectory, 'mail');
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names.filter(name => name.endsWith(end)).map(name => readFileSync(join(directory, name), 'utf8'));
}

/** Values of the five rate-limit headers: RateLimit-Policy, RateLimit, then -Limit, -Remaining and -Reset. */
export function five({ headers }: { readonly headers: Headers }): (string | null)[] {
  const names = ['-policy', '', '-limit', '-remaining', '-reset'];
  return names.map(name => headers.get(`ratelimit${name}`));
}

/** An answer without what every submission has of its own: its member `reference`, which the message names too. */
export function withoutReference<Answer extends { readonly message: string; readonly reference?: string }>({
  reference,
  ...answer
}: Answer) {
  assert.match(reference ?? '', /^[A-Z]{4}-\d{4}$/);
  const end = ` Referencia: ${reference}.`;
  assert.ok(answer.message.endsWith(end), answer.message);
  return { ...answer, message: answer.message.slice(0, -end.length) };
}

export async function assertAccepted(request: Promise<Response>, body: object): Promise<Response> {
  const response = await request;
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.deepEqual(withoutReference(JSON.parse(text)), body);
  return response;
}
