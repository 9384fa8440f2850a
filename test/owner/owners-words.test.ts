import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DOCUMENTS } from '../../discovery/index.ts';
import { request } from '../mcp/mcp-messages.ts';
import { CLINIC, LAWYERS, SCHOOL, served } from '../pages/three-brands.ts';
import { MailDouble, postForm } from '../support/submission-support.ts';
import { post, startApp } from '../support/support.ts';

/** Everything that a service publishes, answers and mails, by its place. */
type Texts = ReadonlyMap<string, string>;

const SUBMISSION = { name: 'Zoe Q', email: 'zoe@client.example', context: 'Zzz zzz zzz zzz' };

/** What a program and a browser get from every path, and the mails of one submission. */
async function textsOf(
  t: TestContext,
  profile: object,
  { language = '', submission = SUBMISSION } = {},
): Promise<Texts> {
  const mailer = new MailDouble();
  const { url } = await startApp(t, { brand: await served(profile), mailer });
  const texts = new Map<string, string>();
  const html = { accept: 'text/html' };
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, { headers, redirect: 'manual' });
    texts.set(`${response.status} ${path}${headers.accept ? ' (page)' : ''}`, await response.text());
  };
  for (const { path, localized } of DOCUMENTS) await get(localized ? `${path}?${language}` : path);
  for (const form of ['diagnostic', 'partner', 'question', 'ask'])
    await get(`/forms/${form}?${language}`, html);
  for (const query of ['precio', 'price', 'xyzzy plugh']) await get(`/ask?q=${query}&${language}`, html);
  for (const path of ['/forms/thanks?of=diagnostic&reference=BCDF-1234&', '/nowhere?'])
    await get(path + language, html);
  for (const path of ['/mcp', '/api/v1/status']) await get(path);
  for (const method of ['initialize', 'tools/list'])
    texts.set(method, await (await post(`${url}/mcp`, request(method))).text());
  const posted = await post(`${url}/api/v1/contact`, submission);
  texts.set('POST /api/v1/contact', `${posted.status} ${await posted.text()}`);
  const refused = await postForm(`${url}/api/v1/contact?${language}`, { name: 'Z', email: 'nobody' }, html);
  texts.set('a form with faults (page)', await refused.text());
  if (posted.status === 200) await mailer.arrived(2);
  for (const { subject, text, to } of mailer.mails) texts.set(`mail to ${to}`, `${subject}\n${text}`);
  return texts;
}

const isPage = (place: string) => place.endsWith('(page)') || / \/(?:claims)?\?/.test(place);

/** What a person reads of a page: no scripts, no attributes, no name of another language. */
const visible = (page: string) =>
  page
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

/** Every text of a profile, longest first. */
const ownerTexts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.values(Object(value))
        .flatMap(ownerTexts)
        .sort((a, b) => b.length - a.length);

/** Where words stand, besides the owner's own texts in several languages. */
function placesOf(
  words: RegExp,
  texts: Texts,
  isRead: (place: string) => boolean,
  profile?: object,
): string[] {
  return [...texts]
    .filter(([place]) => isRead(place))
    .flatMap(([place, text]) => {
      const own = ownerTexts(profile).reduce(
        (rest, written) => rest.replaceAll(written, ' '),
        (isPage(place) ? visible(text) : text).replace(MESSAGE, ''),
      );
      return Array.from(own.matchAll(words), ({ index }) => `${place}: ${own.slice(index - 60, index + 60)}`);
    });
}

/** Words of the contract's actions, of the example brand and of its trade. */
const OF_OTHERS =
  /partner|diagnos|Norte Claro|norteclaro|markets|market, budget|sales data|presupuesto|margen|48 (?:hours|horas)/gi;

/** The schema describes the format of every profile, and the embed is the same script for every brand. */
const isOfBrand = (place: string) => !/\/schemas\/|\/embed/.test(place);

describe('the words of a brand', () => {
  it('of a clinic that takes no requests are Spanish, and name no diagnostic, partner, reply or form', async t => {
    const texts = await textsOf(t, CLINIC);
    assert.deepEqual(placesOf(OF_OTHERS, texts, isOfBrand), []);
    assert.deepEqual(placesOf(ENGLISH, texts, isPage, CLINIC), []);
    for (const path of ['/forms/diagnostic', '/forms/partner', '/forms/thanks'])
      assert.ok(
        [...texts.keys()].some(place => place.startsWith(`404 ${path}`)),
        path,
      );
    assert.match(texts.get('POST /api/v1/contact') ?? '', /^404 .*"not_found"/);
    assert.doesNotMatch(texts.get('200 /AGENTS.md') ?? '', /submissions per hour/);
    const { result } = JSON.parse(texts.get('tools/list') ?? '');
    assert.deepEqual(
      result.tools.map(({ name }: { name: string }) => name),
      ['ask_brand'],
    );
  });

  it('of lawyers are English, but for the contract’s message, and promise only their own time', async t => {
    const texts = await textsOf(t, LAWYERS);
    assert.deepEqual(
      placesOf(SPANISH, texts, place => !place.includes('/schemas/')),
      [],
    );
    assert.match(texts.get('mail to team@localhost') ?? '', /Promise: a reply within 24 hours/);
    assert.match(
      texts.get('mail to zoe@client.example') ?? '',
      /^We have received your message \([A-Z]{4}-\d{4}\)\nHello,/,
    );
    assert.match(texts.get('POST /api/v1/contact') ?? '', /^200 .*24 horas\. .*Referencia: /);
    // The name of the tool, of its schema and of its form are the contract's.
    const ofContract =
      /apply_partner_program|request[_-]diagnostic|requestDiagnostic|DiagnosticRequest|\/forms\/diagnostic|of=diagnostic|"diagnostic(?:-title)?"|diagnostic"|#diagnostic/g;
    const others = new Map([...texts].map(([place, text]) => [place, text.replace(ofContract, ' ')]));
    assert.deepEqual(placesOf(OF_OTHERS, others, isOfBrand), []);
  });

  it('of a school are each visitor’s on the pages, and Spanish in the mail to its team', async t => {
    const submission = { ...SUBMISSION, country: 'Zzz' };
    const spanish = await textsOf(t, SCHOOL, { language: 'lang=es', submission });
    assert.deepEqual(placesOf(ENGLISH, spanish, isPage, SCHOOL), []);
    assert.match(spanish.get('200 /forms/diagnostic?lang=es (page)') ?? '', /Reserva una plaza/);
    const english = await textsOf(t, SCHOOL, { language: 'lang=en', submission });
    const page = english.get('200 /forms/diagnostic?lang=en (page)') ?? '';
    assert.match(page, /Book a place/);
    assert.doesNotMatch(page, /Reserva una plaza/);
    assert.deepEqual(
      placesOf(ENGLISH, english, place => place.startsWith('mail')),
      [],
    );
    assert.match(english.get('mail to team@localhost') ?? '', /^\[Reserva una plaza .*\n.*Reserva una plaza/);
  });

  it('of a confirmation are in the language that a program asks for, else in the profile’s', async t => {
    const mailer = new MailDouble();
    const { url } = await startApp(t, { brand: await served(LAWYERS), mailer });
    for (const [language, greeting] of [
      ['*', 'Hello,'],
      ['es', 'Hola:'],
    ] as const) {
      const email = `${greeting.length}@client.example`;
      const headers = { 'accept-language': language };
      assert.equal((await post(`${url}/api/v1/contact`, { ...SUBMISSION, email }, headers)).status, 200);
      await mailer.arrived(language === '*' ? 2 : 4);
      assert.equal(mailer.to(email)[0]?.text.split('\n')[0], greeting);
    }
  });
});
