import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  DIAGNOSTIC,
  MANY,
  multipart,
  postForm,
  startForms,
  storedIn,
} from '../support/submission-support.ts';
import { assertRefused, bodyOf, post } from '../support/support.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-site': 'same-origin' };

const start = (t: TestContext, env: Record<string, string> = {}) =>
  startForms(t, { env: { ...MANY, ...env } });

type App = Awaited<ReturnType<typeof start>>;

/** Fields of the submission that came since the last call; of the same one where none came. Several may come in one millisecond. */
async function lastFields(app: App): Promise<Readonly<Record<string, string>>> {
  const seen = SEEN.get(app) ?? new Map<string, Readonly<Record<string, string>>>();
  SEEN.set(app, seen);
  for (const { id, fields } of await storedIn(app.outbox.database)) {
    if (!seen.has(id)) seen.set(id, fields ?? {});
  }
  return [...seen.values()].at(-1) ?? {};
}

const SEEN = new WeakMap<App, Map<string, Readonly<Record<string, string>>>>();

/** The hidden and typed values of a form in a page, by name. */
function valuesIn(page: string): Record<string, string> {
  const unescaped = (text: string) =>
    text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  const inputs = [...page.matchAll(/<input([^>]*)>/g)].map(([, attributes = '']) => {
    const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    return [attribute('name'), unescaped(attribute('value'))] as const;
  });
  const areas = [...page.matchAll(/<textarea[^>]*\bname="([^"]*)"[^>]*>([^<]*)/g)].map(
    ([, name = '', value = '']) => [name, unescaped(value)] as const,
  );
  return Object.fromEntries([...inputs, ...areas]);
}

describe('a line break', () => {
  it('is one character and becomes LF, whatever sends it and on whatever surface', async t => {
    const app = await start(t);
    // 4,000 characters by a browser's count, 5,999 as they are sent.
    for (const lineBreak of ['\r\n', '\r', '\n']) {
      const context = `${`x${lineBreak}`.repeat(1999)}xy`;
      const expected = `${'x\n'.repeat(1999)}xy`;
      const fields = { ...DIAGNOSTIC, context };
      const sends: Record<string, () => Promise<{ readonly status: number }>> = {
        json: () => app.contact(fields),
        urlencoded: () => app.form(fields),
        multipart: () => app.form(multipart(fields)),
        person: () => app.form(fields, BROWSER),
        mcp: () => app.call('request_diagnostic', fields),
      };
      for (const [surface, send] of Object.entries(sends)) {
        const response = await send();
        assert.ok([200, 303].includes(response.status), surface);
        assert.equal((await lastFields(app)).context, expected, surface);
      }
      const tooLong = { ...DIAGNOSTIC, context: `${context}z` };
      const { issues } = await assertRefused(app.contact(tooLong), 'validation_error');
      assert.deepEqual(issues, ['context: at most 4000 characters']);
      const query = `${`a${lineBreak}`.repeat(999)}bc`;
      const asked = await bodyOf(await fetch(`${app.url}/ask?q=${encodeURIComponent(query)}`));
      assert.equal(asked.query, `${'a\n'.repeat(999)}bc`);
      const posted = await bodyOf(await post(`${app.url}/ask`, { query }));
      assert.equal(posted.query, `${'a\n'.repeat(999)}bc`);
      const message = { messageId: '1', role: 'ROLE_USER', parts: [{ text: query }] };
      const request = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
      const { result } = await bodyOf(await post(`${app.url}/a2a`, request, { 'a2a-version': '1.0' }));
      assert.equal(result.message.parts[0].data.query, `${'a\n'.repeat(999)}bc`);
    }
  });

  it('is LF beside the fields too, and in what a key is compared by: a form sent twice is one submission', async t => {
    const app = await start(t);
    const fields = { ...DIAGNOSTIC, _key: 'k', interés: 'uno\r\ndos' };
    const first = await app.form({ ...fields, context: 'primera línea\r\nsegunda' }, BROWSER);
    assert.equal((await lastFields(app))['extra.interés'], 'uno\ndos');
    const again = { ...fields, context: 'primera línea\nsegunda', utm_source: 'search' };
    const second = await app.form(again, BROWSER);
    assert.equal(second.headers.get('location'), first.headers.get('location'));
    assert.equal(await app.kept(), 1);
  });
});

describe('a form as browsers and site builders send it', () => {
  it('has the values of repeated fields of its own joined with a comma, and reaches the team', async t => {
    const app = await start(t);
    const repeats: [name: string, values: string[], expected: string, note: string][] = [
      ['interest', ['prices', 'stores'], 'prices, stores', 'extra.interest'],
      ['days[]', ['', 'mon', 'tue'], 'mon, tue', 'extra.days[]'],
      ['consent', ['0', '1'], '0, 1', 'consent'],
    ];
    for (const [name, values, expected, note] of repeats) {
      for (const body of [new URLSearchParams(DIAGNOSTIC), multipart(DIAGNOSTIC)]) {
        for (const value of values) body.append(name, value);
        assert.equal((await app.form(body, BROWSER)).status, 303, name);
        assert.equal((await lastFields(app))[note], expected, name);
      }
    }
  });

  it('has 500 characters of what is not in the contract, an emoji being one', async t => {
    const app = await start(t);
    await app.form(
      { ...DIAGNOSTIC, page: `x${'🐟'.repeat(600)}`, [`y${'🐙'.repeat(50)}`]: '🐙'.repeat(600) },
      BROWSER,
    );
    const fields = await lastFields(app);
    assert.equal(fields.page, `x${'🐟'.repeat(499)}`);
    assert.equal(fields[`extra.y${'🐙'.repeat(39)}`], '🐙'.repeat(500));
  });

  it('may carry the hidden helpers of site builders and frameworks, which reach nobody', async t => {
    const app = await start(t);
    const helpers = { _wpnonce: 'a1', 'form-name': 'contact', 'g-recaptcha-response': 'x', submit: 'Enviar' };
    for (const headers of [BROWSER, { accept: 'application/json', 'sec-fetch-site': 'same-origin' }, {}]) {
      const response = await app.form({ ...DIAGNOSTIC, ...helpers }, headers);
      assert.ok([200, 303].includes(response.status));
      assert.deepEqual(Object.keys(await lastFields(app)), Object.keys(DIAGNOSTIC));
    }
  });

  it('may come from a script of a page, as AMP sends it: multipart that wants JSON, with fields of its own', async t => {
    const app = await start(t, { ALLOWED_ORIGINS: 'https://www.acme.example' });
    const response = await app.form(multipart({ ...DIAGNOSTIC, telefono: '600' }), {
      accept: 'application/json',
      origin: 'https://www.acme.example',
      'sec-fetch-site': 'cross-site',
    });
    assert.equal(response.status, 200);
    assert.equal((await bodyOf(response)).ok, true);
    assert.equal((await lastFields(app))['extra.telefono'], '600');
  });
});

describe('a mistake in a plain form', () => {
  it('loses nothing: what the page added and what the visitor ticked goes along, and arrives with the second post', async t => {
    const app = await start(t, { ALLOWED_ORIGINS: 'https://www.acme.example' });
    const beside = {
      _next: 'https://www.acme.example/gracias?from="x"&y=1',
      page: 'https://www.acme.example/contacto',
      utm_source: 'news',
      utm_campaign: 'otoño <2026>',
      consent: 'sí',
      interés: 'precios',
    };
    const body = multipart({ ...DIAGNOSTIC, ...beside, email: 'joe@example' });
    body.append('interés', 'surtido');
    body.append('_next', 'https://www.acme.example/second');
    const refused = await app.form(body, BROWSER);
    assert.equal(refused.status, 400);
    assert.equal(refused.headers.get('cache-control'), 'private, no-cache', 'Back shows what was typed');
    const { _key, ...values } = valuesIn(await refused.text());
    assert.ok(_key);
    const { _gotcha, q, lang, ...fields } = values;
    const expected = { ...DIAGNOSTIC, ...beside, email: 'joe@example', interés: 'precios, surtido' };
    assert.deepEqual(fields, expected);
    const second = await postForm(
      `${app.url}/forms/diagnostic`,
      { ...values, _key, email: 'joe@example.org' },
      BROWSER,
    );
    assert.match(second.headers.get('location') ?? '', /^https:\/\/www\.acme\.example\/gracias\?from=/);
    const stored = await lastFields(app);
    assert.equal(stored['extra.interés'], 'precios, surtido');
    assert.equal(stored.page, beside.page);
    assert.equal(stored.utm_campaign, beside.utm_campaign);
    assert.equal(stored.consent, 'sí');
  });
});

describe('a form that cannot be read whole', () => {
  const part = (field: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`;
  const parts = Object.entries(DIAGNOSTIC)
    .map(([field, value]) => part(field, value))
    .join('');
  const MULTIPART = 'multipart/form-data; boundary=b';
  const URLENCODED = 'application/x-www-form-urlencoded';
  const encoded = new URLSearchParams(DIAGNOSTIC).toString();
  const forms: [type: string, body: string, text: RegExp, values: Readonly<Record<string, string>>][] = [
    [URLENCODED, `${encoded}&name=Eva`, /Name: came more than once/, { name: `${DIAGNOSTIC.name}, Eva` }],
    [MULTIPART, `${part('cv"; filename="cv.pdf', '%PDF')}${parts}--b--`, /cv: must be text/, DIAGNOSTIC],
    [MULTIPART, parts.trimEnd(), /could not read all/, DIAGNOSTIC],
  ];

  it('comes back with what could be read, and says what is wrong', async t => {
    const app = await start(t);
    for (const [type, body, text, expected] of forms) {
      const headers = { ...BROWSER, 'accept-language': 'en', 'content-type': type };
      const response = await app.contact(body, headers);
      const page = await response.text();
      assert.equal(response.status, 400);
      assert.match(page, text);
      assert.equal(response.headers.get('cache-control'), 'private, no-cache', 'Back shows what was typed');
      const values = valuesIn(page);
      for (const [field, value] of Object.entries(expected)) assert.equal(values[field], value, field);
      const json = await app.contact(body, { 'content-type': type });
      const { issues } = await assertRefused(Promise.resolve(json), 'invalid_request');
      assert.equal(issues, undefined, 'the contract has them with validation_error alone');
    }
    assert.equal(await app.kept(), 0);
  });

  it('because it is too large gets a page that sends the visitor back, where all of it still stands', async t => {
    const app = await start(t);
    const large = { ...DIAGNOSTIC, context: 'y'.repeat(70_000) };
    const response = await app.form(large, { ...BROWSER, 'accept-language': 'en' });
    assert.equal(response.status, 413);
    const page = await response.text();
    assert.match(page, /Send text alone.*the previous page still has all of it/);
    assert.doesNotMatch(page, /method="post"/, 'an empty form would look like a lost text');
  });
});

describe('an address that cannot be taken', () => {
  it('gets the reason, on the page too and in the language of the reader', async t => {
    const { contact, form } = await start(t);
    for (const email of ['josé@example.com', '用户@example.com', '"joe smith"@example.com']) {
      const { issues } = await assertRefused(contact({ ...DIAGNOSTIC, email }), 'validation_error');
      assert.match(issues.join(), /^email: .*before the @ it may have no accents, spaces, quotes/, email);
    }
    const headers = { ...BROWSER, 'accept-language': 'es' };
    const page = await (await form({ ...DIAGNOSTIC, email: 'josé@example.com' }, headers)).text();
    assert.match(page, /no puede llevar acentos/);
  });

  it('is taken where only invisible characters of a copied address stand around it', async t => {
    const app = await start(t);
    const response = await app.contact({ ...DIAGNOSTIC, email: '\u202aana@example.com\u202c' });
    assert.equal(response.status, 200);
    assert.equal(app.mailer.mails[0]?.replyTo, 'ana@example.com');
  });
});

describe('invisible characters', () => {
  it('reach the team as their escapes; emoji and scripts that need joiners stay as they are', async t => {
    const app = await start(t);
    const tags = [...'ignore'].map(letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    const context = `Hola${tags} a\u200bb \u2060 \u3164 \u{e0101} \u202e fin. 👩‍👩‍👧 ❤️ می‌خواهم`;
    await app.contact({ ...DIAGNOSTIC, context });
    const text = app.mailer.mails[0]?.text ?? '';
    const codes = ['udb40\\udc69', 'udb40\\udc65', 'u200b', 'u2060', 'u3164', 'udb40\\udd01', 'u202e'];
    for (const code of codes) assert.ok(text.includes(`\\${code}`), code);
    for (const kept of ['👩‍👩‍👧', '❤️', 'می‌خواهم']) assert.ok(text.includes(kept), kept);
  });

  it('of a subject are spaces, and emoji stay whole', async t => {
    const app = await start(t);
    await app.contact({ ...DIAGNOSTIC, company: 'Lab 👩‍🔬\u3164\u202e\u2800SL', name: 'Ana\u200b Ruiz' });
    const [{ subject, text } = assert.fail()] = app.mailer.mails;
    assert.match(subject, /\] Lab 👩‍🔬 SL \(Ana Ruiz\)$/);
    assert.match(text, /^> Lab 👩‍🔬\\u3164\\u202e\\u2800SL$/m);
  });
});

describe('a hint', () => {
  it('names the parameter of the surface that was used', async t => {
    const { url } = await start(t);
    for (const [request, hint] of [
      [() => fetch(`${url}/ask?question=x`), /^Send the question as q,/],
      [() => fetch(`${url}/ask?query=x`), /^Use q instead of query\.$/],
      [() => post(`${url}/ask`, { query: ' ' }), /^Send the question as query,/],
      [() => post(`${url}/ask`, { q: 'x' }), /^Use query instead of q\.$/],
    ] as const)
      assert.match((await assertRefused(request(), 'missing_query')).hint, hint);
  });

  it('of JSON without its Content-Type names the type', async t => {
    const { url } = await start(t);
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', '']) {
      for (const path of ['/api/v1/contact', '/api/v1/partners', '/ask']) {
        const body = new Blob([JSON.stringify(DIAGNOSTIC)]);
        const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
        const response = fetch(`${url}${path}`, { method: 'POST', headers, body });
        const { hint, issues } = await assertRefused(response, 'invalid_request');
        assert.match(hint, /Content-Type: application\/json/, `${path} ${type}`);
        assert.equal(issues, undefined);
      }
    }
  });
});
