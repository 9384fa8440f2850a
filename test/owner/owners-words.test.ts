import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DOCUMENTS } from '../../discovery/index.ts';
import { request } from '../mcp/mcp-messages.ts';
import { CLINIC, LAWYERS, SCHOOL, served } from '../pages/three-brands.ts';
import { MailDouble, postForm } from '../support/submission-support.ts';
import { post, startApp } from '../support/support.ts';

/** Everything that a service says: documents, pages, protocol answers and mails, by where it was said. */
type Said = ReadonlyMap<string, string>;

interface Walk {
  /** `?lang=` of the pages; without one the visitor's browser says nothing. */
  readonly lang?: string;
}

interface Profile {
  readonly actions?: object;
  readonly questions?: readonly { readonly text: string }[];
}

/** What a program and a browser get from every path there is, and the mails of a submission each. */
async function walk(t: TestContext, profile: Profile, { lang }: Walk = {}): Promise<Said> {
  const box = new MailDouble();
  const { url } = await startApp(t, { brand: await served(profile), mailer: box });
  const said = new Map<string, string>();
  const html = { accept: 'text/html' };
  const language = lang === undefined ? '' : `lang=${lang}`;
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, { headers, redirect: 'manual' });
    said.set(`${response.status} ${path}${headers.accept ? ' (page)' : ''}`, await response.text());
  };
  for (const { path, localized } of DOCUMENTS) await get(localized ? `${path}?${language}` : path);
  for (const form of ['diagnostic', 'partner', 'question', 'ask'])
    await get(`/forms/${form}?${language}`, html);
  const [question] = profile.questions ?? [];
  for (const query of [question?.text ?? 'precio', 'xyzzy plugh'])
    await get(`/ask?q=${encodeURIComponent(query)}&${language}`, html);
  for (const path of ['/forms/thanks?of=diagnostic&reference=BCDF-1234&', '/nowhere?'])
    await get(path + language, html);
  for (const path of ['/mcp', '/api/v1/status']) await get(path);
  for (const method of ['initialize', 'tools/list'])
    said.set(method, await (await post(`${url}/mcp`, request(method))).text());
  const person = { name: 'Zoe Q', email: 'zoe@client.example', context: 'Zzz zzz zzz zzz' };
  const further = { company: 'Zzz', role: 'Zzz', country: 'Zzz', size: 'Zzz', level: 'Zzz' };
  const fields = Object.keys(fieldsOf(profile.actions ?? {}));
  const body = {
    ...person,
    ...Object.fromEntries(Object.entries(further).filter(([name]) => fields.includes(name))),
  };
  const posted = await post(`${url}/api/v1/contact`, body);
  said.set('POST /api/v1/contact', `${posted.status} ${await posted.text()}`);
  const wrong = { name: 'Z', email: 'nobody', context: 'Zzz' };
  const refused = await postForm(`${url}/api/v1/contact?${language}`, wrong, html);
  said.set('a form with faults (page)', await refused.text());
  if (posted.status === 200) await box.arrived(2);
  for (const { subject, text, to } of box.mails) said.set(`mail to ${to}`, `${subject}\n${text}`);
  return said;
}

const fieldsOf = (actions: object): object => {
  const { request_diagnostic: action } = { request_diagnostic: undefined, ...actions };
  const { fields = [] } = { fields: undefined, ...Object(action) };
  return Object.fromEntries(fields.map((field: string) => [field, true]));
};

const isPage = (where: string) => where.endsWith('(page)') || / \/(?:claims)?\?/.test(where);
const isMail = (where: string) => where.startsWith('mail');

/** What a person reads of a page: no scripts, no styles, no words for a browser's agent, no name of another language. */
const visible = (text: string) =>
  text
    .replace(/<script[^>]*>.*?<\/script>|<style>.*?<\/style>/gs, ' ')
    .replace(/<a [^>]*\bhreflang=[^>]*>.*?<\/a>|<link [^>]*>/gs, ' ')
    .replace(
      / (?:tool\w+|data-\w+|aria-\w+|href|action|content|name|id|for|autocomplete|class|value)="[^"]*"/g,
      ' ',
    );

/** Words that are in no sentence of the other language. */
const SPANISH =
  /(?<![\p{L}\p{M}@./-])(?:que|para|las|los|del|una|con|por|te|tu|su|nuestr[oa]s?|correo|hemos|recibido|solicitud|diagnóstico|pregunta|persona|equipo|respuesta|horas|gracias|escríbe\w*|empresa|afirma\w*)(?![\p{L}\p{M}])/giu;
const ENGLISH =
  /(?<![\p{L}\p{M}@./-])(?:the|and|with|your|you|we|our|of|is|are|have|received|request|diagnostic|question|person|team|reply|hours|thank|answer|company|claims?|state)(?![\p{L}\p{M}])/giu;

/** The contract wants the message for programs in Spanish, whatever the brand. */
const MESSAGE = /Hemos recibido(?:(?!Referencia).)*Referencia: [A-Z]{4}-\d{4}\./gs;

/** Every text of a value, longest first: what the owner wrote is in the owner's languages. */
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.values(Object(value))
        .flatMap(textsOf)
        .sort((a, b) => b.length - a.length);

interface Read {
  readonly words: RegExp;
  readonly isRead: (where: string) => boolean;
  /** What the owner says in several languages. */
  readonly own?: unknown;
}

function sentencesIn(said: Said, { words, isRead, own }: Read): string[] {
  return [...said].flatMap(([where, text]) => {
    if (!isRead(where)) return [];
    const read = textsOf(own).reduce(
      (rest, written) => rest.replaceAll(written, ' '),
      (isPage(where) ? visible(text) : text).replace(MESSAGE, ''),
    );
    return [...read.matchAll(words)].map(({ index }) => `${where}: …${around(read, index)}…`);
  });
}

const around = (text: string, index: number) =>
  text.slice(Math.max(0, index - 60), index + 60).replace(/\s+/g, ' ');

/** Words of the contract's actions, of the example brand and of its trade. */
const OF_OTHERS = [
  /partner/i,
  /diagnos/i,
  /Norte Claro|norteclaro/,
  /markets|market, budget|sales data|presupuesto|margen/i,
  /48 (?:hours|horas)/,
];

function saysOfOthers(said: Said, allowed: RegExp = /$^/): string[] {
  // The schema describes the format of every profile, and the embed is the same script for every brand.
  const own = [...said].filter(([where]) => !/\/schemas\/|\/embed/.test(where));
  return own.flatMap(([where, text]) =>
    OF_OTHERS.flatMap(word => {
      const found = [...text.matchAll(new RegExp(word, `${word.flags}g`))].filter(
        ({ index }) => !allowed.test(text.slice(Math.max(0, index - 30), index + 30)),
      );
      return found.map(({ index }) => `${where}: …${around(text, index)}…`);
    }),
  );
}

describe('a clinic that takes no requests', () => {
  it('says nothing of diagnostics, partners or replies, and its forms are not there', async t => {
    const said = await walk(t, CLINIC);
    assert.deepEqual(saysOfOthers(said), []);
    for (const path of ['/forms/diagnostic', '/forms/partner', '/forms/thanks'])
      assert.ok(
        [...said.keys()].some(where => where.startsWith(`404 ${path}`)),
        path,
      );
    assert.match(said.get('POST /api/v1/contact') ?? '', /^404 .*"not_found"/);
    const { result } = JSON.parse(said.get('tools/list') ?? '');
    assert.deepEqual(
      result.tools.map(({ name }: { name: string }) => name),
      ['ask_brand'],
    );
    assert.match(said.get('200 /llms.txt') ?? '', /Cu%C3%A1nto%20cuesta%20una%20sesi%C3%B3n/);
  });

  it('speaks Spanish on every page', async t => {
    assert.deepEqual(sentencesIn(await walk(t, CLINIC), { words: ENGLISH, isRead: isPage, own: CLINIC }), []);
  });
});

describe('lawyers who write in English and take messages only', () => {
  it('are written to, shown and described in English, the contract’s message apart', async t => {
    const said = await walk(t, LAWYERS);
    assert.deepEqual(
      sentencesIn(said, { words: SPANISH, isRead: where => !where.includes('/schemas/') }),
      [],
    );
    assert.match(said.get('mail to team@localhost') ?? '', /Promise: a reply within 24 hours/);
    assert.match(
      said.get('mail to zoe@client.example') ?? '',
      /^We have received your message \([A-Z]{4}-\d{4}\)\nHello,/,
    );
    assert.match(said.get('POST /api/v1/contact') ?? '', /^200 .*24 horas\. .*Referencia: /);
  });

  it('promise no diagnostic, no partner program and no other time than their own', async t => {
    const said = await walk(t, LAWYERS);
    // The name of the tool, of its schema and of its form are the contract's.
    assert.deepEqual(
      saysOfOthers(
        said,
        /apply_partner_program|request[_-]diagnostic|requestDiagnostic|DiagnosticRequest|\/forms\/diagnostic|of=diagnostic|"diagnostic(?:-title)?"|diagnostic"|#diagnostic/,
      ),
      [],
    );
  });
});

describe('a school that speaks two languages', () => {
  it('shows each visitor its own words in the visitor’s language', async t => {
    const spanish = await walk(t, SCHOOL, { lang: 'es' });
    assert.deepEqual(sentencesIn(spanish, { words: ENGLISH, isRead: isPage, own: SCHOOL }), []);
    assert.match(spanish.get('200 /forms/diagnostic?lang=es (page)') ?? '', /Reserva una plaza/);
    const english = await walk(t, SCHOOL, { lang: 'en' });
    const page = english.get('200 /forms/diagnostic?lang=en (page)') ?? '';
    assert.match(page, /Book a place/);
    assert.doesNotMatch(page, /Reserva una plaza/);
  });

  it('writes to its team in Spanish, whatever the visitor reads', async t => {
    const said = await walk(t, SCHOOL, { lang: 'en' });
    assert.deepEqual(sentencesIn(said, { words: ENGLISH, isRead: isMail }), []);
    assert.match(said.get('mail to team@localhost') ?? '', /^\[Reserva una plaza .*\n.*Reserva una plaza/);
  });
});

describe('the confirmation of a submission', () => {
  it('is in the language that a program asks for, else in the profile’s', async t => {
    for (const [headers, greeting] of [
      [{}, 'Hello,'],
      [{ 'accept-language': 'es' }, 'Hola:'],
      [{ 'accept-language': '*' }, 'Hello,'],
    ] as const) {
      const box = new MailDouble();
      const { url } = await startApp(t, { brand: await served(LAWYERS), mailer: box });
      const body = { name: 'Zoe Q', email: 'zoe@client.example', context: 'Zzz zzz zzz zzz' };
      assert.equal((await post(`${url}/api/v1/contact`, body, headers)).status, 200);
      await box.arrived(2);
      assert.equal(box.to('zoe@client.example')[0]?.text.split('\n')[0], greeting);
    }
  });
});
