import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DOCUMENTS } from '../discovery/index.ts';
import { messagesOf } from '../tools/words/language.ts';
import { mailbox } from './published-support.ts';
import { EXAMPLE, startApp } from './support.ts';
import { CLINIC, LAWYERS, SCHOOL, served } from './three-brands.ts';

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
  const box = mailbox();
  const { url } = await startApp(t, { brand: await served(profile), mailer: box.mailer });
  const said = new Map<string, string>();
  const html = { accept: 'text/html' };
  const language = lang === undefined ? '' : `lang=${lang}`;
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, { headers, redirect: 'manual' });
    said.set(`${response.status} ${path}${headers.accept ? ' (page)' : ''}`, await response.text());
  };
  for (const { path, localized } of DOCUMENTS) await get(localized ? `${path}?${language}` : path);
  for (const form of ['diagnostic', 'partner', 'question', 'ask']) await get(`/forms/${form}?${language}`, html);
  const [question] = profile.questions ?? [];
  for (const query of [question?.text ?? 'precio', 'xyzzy plugh'])
    await get(`/ask?q=${encodeURIComponent(query)}&${language}`, html);
  for (const path of ['/forms/thanks?of=diagnostic&reference=BCDF-1234&', '/nowhere?'])
    await get(path + language, html);
  for (const path of ['/mcp', '/api/v1/status']) await get(path);
  const rpc = async (method: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { protocolVersion: '2025-06-18' } });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    said.set(method, await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text());
  };
  for (const method of ['initialize', 'tools/list']) await rpc(method);
  const person = { name: 'Zoe Q', email: 'zoe@client.example', context: 'Zzz zzz zzz zzz' };
  const further = { company: 'Zzz', role: 'Zzz', country: 'Zzz', size: 'Zzz', level: 'Zzz' };
  const fields = Object.keys(fieldsOf(profile.actions ?? {}));
  const body = { ...person, ...Object.fromEntries(Object.entries(further).filter(([name]) => fields.includes(name))) };
  const json = { 'content-type': 'application/json' };
  const posted = await fetch(`${url}/api/v1/contact`, { method: 'POST', headers: json, body: JSON.stringify(body) });
  said.set('POST /api/v1/contact', `${posted.status} ${await posted.text()}`);
  const wrong = new URLSearchParams({ name: 'Z', email: 'nobody', context: 'Zzz' });
  const refused = await fetch(`${url}/api/v1/contact?${language}`, { method: 'POST', headers: html, body: wrong });
  said.set('a form with faults (page)', await refused.text());
  if (posted.status === 200) await box.settled(() => box.all.length >= 2);
  for (const { subject, text, to } of box.all) said.set(`mail to ${to}`, `${subject}\n${text}`);
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
    .replace(/ (?:tool\w+|data-\w+|aria-\w+|href|action|content|name|id|for|autocomplete|class|value)="[^"]*"/g, ' ');

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

const around = (text: string, index: number) => text.slice(Math.max(0, index - 60), index + 60).replace(/\s+/g, ' ');

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
      return found.map(
        ({ index }) => `${where}: …${text.slice(Math.max(0, index - 60), index + 60).replace(/\s+/g, ' ')}…`,
      );
    }),
  );
}

describe('a clinic that takes no requests', () => {
  it('says nothing of diagnostics, partners or replies, and its forms are not there', async t => {
    const said = await walk(t, CLINIC);
    assert.deepEqual(saysOfOthers(said), []);
    for (const path of ['/forms/diagnostic', '/forms/partner', '/forms/question', '/forms/thanks'])
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
    assert.match(said.get('200 /llms.txt') ?? '', /Cu%C3%A1nto\+cuesta\+una\+sesi%C3%B3n/);
  });

  it('is described without forms, and without a signature that it does not have', async t => {
    const said = await walk(t, CLINIC);
    const documents = [...said].filter(([where]) => where.startsWith('200') && !/\/schemas\/|\/embed/.test(where));
    for (const [where, text] of documents)
      assert.doesNotMatch(visible(text), /form post|The forms|Perfil firmado|Signed profile|same actions/, where);
    const openapi = JSON.parse(said.get('200 /openapi.json') ?? '');
    assert.doesNotMatch(JSON.stringify(openapi.tags), /Forms/);
    // The contract's policies have their names in the pattern of a header.
    const described = JSON.stringify({ ...openapi, components: { ...openapi.components, headers: {} } });
    assert.doesNotMatch(described, /submi|[Ii]dempotency|delivery_failed|dry run|signed profile|mail goes/);
    const skill = said.get('200 /.well-known/agent-skills/ask-brand/SKILL.md') ?? '';
    assert.equal(skill.split('Answers a question about Clínica Marejada').length, 2, 'says its description once');
  });

  it('gives catalogs its own questions, and none in another language', async t => {
    const { entries } = JSON.parse((await walk(t, CLINIC)).get('200 /.well-known/ai-catalog.json') ?? '');
    for (const { representativeQueries } of entries)
      assert.deepEqual(representativeQueries, ['¿Cuánto cuesta una sesión?', '¿Cuánto dura la sesión?']);
    const lawyers = JSON.parse((await walk(t, LAWYERS)).get('200 /.well-known/ai-catalog.json') ?? '');
    assert.deepEqual(lawyers.entries[0].representativeQueries, [
      'What does a first meeting cost?',
      'Write to us: Harrow & Stone',
    ]);
  });

  it('speaks Spanish on every page', async t => {
    assert.deepEqual(sentencesIn(await walk(t, CLINIC), { words: ENGLISH, isRead: isPage, own: CLINIC }), []);
  });

  it('speaks Spanish in the reference too, where only what the service sends is in English and marked so', async t => {
    const said = await walk(t, CLINIC);
    const text = (said.get('200 /docs?') ?? '').replace(/<(ul|p|span) lang="en">.*?<\/\1>/gs, ' ');
    assert.match(text, /<html lang="es">/);
    // Names and rules of fields are for programs; code is nobody's language.
    const read = text.replace(/<(pre|code)\b.*?<\/\1>|<section id="fields">.*?<\/section>/gs, ' ');
    const own = new Map([['docs (page)', read]]);
    assert.deepEqual(sentencesIn(own, { words: ENGLISH, isRead: isPage, own: CLINIC }), []);
    const listed = [...(said.get('200 /index.md?') ?? '').matchAll(/^- \[(.*)\]\(/gm)].map(([, name]) => name);
    assert.ok(listed.includes('Perfil de marca') && listed.includes('Referencia de la API'));
    assert.deepEqual(
      listed.filter(name => /Brand profile|Agent|catalog|Schema|description|Skill/.test(name ?? '')),
      [],
    );
  });
});

describe('a clinic with many prices', () => {
  it('is asked by somebody whom it does not treat, and says so before any price', async t => {
    const [price] = CLINIC.claims;
    const statements = ['Un bono de diez sesiones cuesta 800 euros.', 'Una sesión en domingo cuesta 110 euros.'];
    const prices = statements.map((statement, at) => ({
      ...{ ...price, metric: undefined, claim_id: `clm-precio-${at}`, statement },
      boundary: { applicable_for: 'Pacientes con informe de su médico.', not_applicable_for: 'Lo que paga una mutua.' },
    }));
    const { url } = await startApp(t, { brand: await served({ ...CLINIC, claims: [...prices, ...CLINIC.claims] }) });
    for (const question of ['¿puedo hacer una sesión si estoy embarazada?', '¿pueden venir menores de doce años?']) {
      const answer = await fetch(`${url}/ask?q=${encodeURIComponent(question)}`);
      const { matches } = JSON.parse(await answer.text());
      assert.equal(matches[0].claim_id, 'clm-duracion', question);
      assert.ok(matches[0].similarity > 0.6, question);
    }
  });
});

describe('what is read of submissions', () => {
  it('says how many confirmations leave in an hour', async t => {
    const said = await walk(t, LAWYERS);
    for (const where of ['200 /openapi.json', '200 /AGENTS.md'])
      assert.match(
        said.get(where) ?? '',
        /at most 10 an hour and 20 a day, and 60 an hour for one network of senders; more wait\./,
        where,
      );
  });

  it('gives each action of an English brand its own example', async t => {
    const { actions: _, ...consultancy } = LAWYERS;
    const { result } = JSON.parse((await walk(t, consultancy)).get('tools/list') ?? '');
    const examples = result.tools
      .slice(1)
      .map(({ inputSchema }: { inputSchema: { properties: { context: { examples: string[] } } } }) => inputSchema)
      .map(({ properties }: { properties: { context: { examples: string[] } } }) => properties.context.examples[0]);
    assert.deepEqual(examples, [
      'What you want to solve, in which market, and the budget and sales data you have.',
      'Who you work for and what you would bring.',
    ]);
  });

  it('tells the team the language of the sender, in the words of the team', async t => {
    const box = mailbox();
    const { url } = await startApp(t, { brand: await served(SCHOOL), mailer: box.mailer });
    const body = JSON.stringify({
      name: 'Zoe Q',
      email: 'zoe@client.example',
      country: 'UK',
      context: 'A course in May',
    });
    const headers = { 'content-type': 'application/json', 'accept-language': 'en' };
    assert.equal((await fetch(`${url}/api/v1/contact`, { method: 'POST', headers, body })).status, 200);
    await box.settled(() => box.all.length === 2);
    assert.match(box.to('team@localhost')[0]?.text ?? '', /\nIdioma: English\n/);
  });

  it('has no riddle about numbers and lists', async t => {
    for (const profile of [CLINIC, LAWYERS, SCHOOL])
      for (const [where, text] of await walk(t, profile))
        assert.doesNotMatch(text, /Closeness|Cercanía|nothing fits|below 0\.4|answers it 0|responde 0,/, where);
  });
});

describe('lawyers who write in English and take messages only', () => {
  it('are written to, shown and described in English, the contract’s message apart', async t => {
    const said = await walk(t, LAWYERS);
    assert.deepEqual(sentencesIn(said, { words: SPANISH, isRead: where => !where.includes('/schemas/') }), []);
    assert.match(said.get('mail to team@localhost') ?? '', /Promise: a reply within 24 hours/);
    assert.match(
      said.get('mail to zoe@client.example') ?? '',
      /^We have received your message \([A-Z]{4}-\d{4}\)\nHello,/,
    );
    assert.match(said.get('POST /api/v1/contact') ?? '', /^200 .*24 horas\. .*Referencia: /);
  });

  it('read of a schema that two tools share in the words of both, and of limits without a window that an operator may change', async t => {
    const { SubmitOk } = JSON.parse((await walk(t, LAWYERS)).get('200 /openapi.json') ?? '').components.schemas;
    assert.equal(SubmitOk.description, 'Answers of `request_diagnostic`.');
    for (const tag of ['es', 'en'])
      assert.doesNotMatch(JSON.stringify(messagesOf(tag)), /preguntas por minuto|questions per minute/);
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

describe('every page of a brand', () => {
  for (const [profile, own, other] of [
    [CLINIC, 'es', 'en'],
    [LAWYERS, 'en', 'es'],
  ] as const) {
    it(`has no label, heading or button of the other language: ${own}`, async t => {
      const theirs = new Set(textsOf(messagesOf(own)));
      const foreign = textsOf(messagesOf(other)).filter(text => text.length > 2 && !theirs.has(text));
      assert.ok(foreign.length > 150);
      const pages = [...(await walk(t, profile))].filter(([, text]) => text.startsWith('<!doctype html>'));
      assert.ok(pages.length > 5);
      for (const [where, text] of pages)
        assert.deepEqual(
          foreign.filter(word => visible(text).includes(`>${word}<`)),
          [],
          where,
        );
    });
  }
});

describe('who reads how clients are told apart', () => {
  it('hears of keys and repeats in every document that speaks of them', async t => {
    const said = await walk(t, LAWYERS);
    const skill = '200 /.well-known/agent-skills/request-diagnostic/SKILL.md';
    for (const where of ['200 /AGENTS.md', '200 /openapi.json', skill])
      assert.match(
        said.get(where) ?? '',
        /`validation_error`, unless another client sends it\..*Without a key each submission is a new one\./,
        where,
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

describe('a profile that says nothing of actions', () => {
  it('offers the contract’s, word for word', async t => {
    const { actions: _, ...silent } = { actions: undefined, ...EXAMPLE };
    const said = await walk(t, { ...silent, actions: {} });
    assert.doesNotMatch(said.get('tools/list') ?? '', /request_diagnostic/);
    const contract = await walk(t, { ...silent, actions: { request_diagnostic: { enabled: true } } });
    assert.match(contract.get('tools/list') ?? '', /Request a diagnostic: Norte Claro/);
  });
});

describe('the confirmation of a submission', () => {
  it('is in the language that a program asks for, else in the profile’s', async t => {
    for (const [headers, greeting] of [
      [{}, 'Hello,'],
      [{ 'accept-language': 'es' }, 'Hola:'],
      [{ 'accept-language': '*' }, 'Hello,'],
    ] as const) {
      const box = mailbox();
      const { url } = await startApp(t, { brand: await served(LAWYERS), mailer: box.mailer });
      const body = JSON.stringify({ name: 'Zoe Q', email: 'zoe@client.example', context: 'Zzz zzz zzz zzz' });
      const sent = { 'content-type': 'application/json', ...headers };
      assert.equal((await fetch(`${url}/api/v1/contact`, { method: 'POST', headers: sent, body })).status, 200);
      await box.settled(() => box.all.length === 2);
      assert.equal(box.to('zoe@client.example')[0]?.text.split('\n')[0], greeting);
    }
  });
});
