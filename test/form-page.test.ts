import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertAccepted, DIAGNOSTIC, DRY_RUN_OK, deleteDatabase, startForms } from './submission-support.ts';

const OK = DRY_RUN_OK;

/** What browsers send when a form is submitted. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };

/** A page in Spanish that runs nothing, with this status; its text without tags, and its items. */
async function pageOf(request: Promise<Response>, status: number) {
  const response = await request;
  const html = await response.text();
  assert.equal(response.status, status);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(response.headers.get('api-version'), '1');
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  assert.match(html, /^<!doctype html>\n<html lang="es">/);
  const items = [...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, item]) => item);
  const plain = (markup = '') =>
    markup
      .replace(/<(style|script)>.*?<\/\1>|<[^>]+>/gs, ' ')
      .replace(/\s+/g, ' ')
      .replace(/ ?: /g, ': ')
      .trim();
  return { headers: response.headers, html, items: items.map(plain), text: plain(html) };
}

/** The page that a post leads to: an address, so that a reload sends nothing. */
async function thanksOf(url: string, request: Promise<Response>) {
  const response = await request;
  assert.equal(response.status, 303);
  const location = response.headers.get('location') ?? '';
  assert.match(location, /^\/forms\/thanks\?of=diagnostic&reference=[A-Z]{4}-\d{4}&lang=es$/);
  const page = await pageOf(fetch(url + location, { headers: BROWSER }), 200);
  return { ...page, headers: response.headers };
}

describe('a plain form post of a browser', () => {
  it('over the limit tells the wait with 429, and keeps what was typed', async t => {
    const { form, clock } = await startForms(t, { env: { LIMIT_SUBMISSIONS: '1/3600' } });
    await form(DIAGNOSTIC);
    clock.advance(600);
    const { text, html, headers } = await pageOf(form({ ...DIAGNOSTIC, role: 'CMO' }, BROWSER), 429);
    assert.equal(headers.get('retry-after'), '3000');
    assert.match(text, /Demasiados envíos .*Vuelve a intentarlo dentro de 50 minutos\./);
    assert.match(html, / value="Conservas del Norte"/);
  });

  it('whose mail fails says that it is kept, and one that cannot be written does not', async t => {
    const { form, mailer, config } = await startForms(t);
    mailer.fail('configuration');
    const kept = await pageOf(form(DIAGNOSTIC, BROWSER), 500);
    assert.match(
      kept.text,
      /^.*Lo hemos recibido .*lo hemos guardado y lo seguimos intentando\. No hace falta que lo envíes otra vez/,
    );
    assert.match(kept.text, /Referencia [A-Z]{4}-\d{4}/);
    assert.doesNotMatch(kept.text, /Vuelve|No se ha enviado/);
    assert.doesNotMatch(kept.html, /<form method="post"/);
    await deleteDatabase(config.dataDirectory);
    const lost = await pageOf(form({ ...DIAGNOSTIC, name: 'Eva Gil' }, BROWSER), 500);
    assert.match(lost.text, /Vuelve a intentarlo en unos minutos/);
    assert.doesNotMatch(lost.text, /guardado/);
  });
});

describe('JSON is the answer', () => {
  it('to a form post that does not prefer a page', async t => {
    const { form, url } = await startForms(t, { env: { LIMIT_SUBMISSIONS: '1000/60' } });
    for (const accept of [
      ...['*/*', 'application/json', 'text/*, */*', 'application/json, text/html'],
      ...['text/html;q=0.5, application/json;q=0.9', 'text/html, application/json;q=1', 'text/html;q=0'],
      ...['text/html;q=high', 'application/xhtml+xml'],
    ]) {
      await assertAccepted(form(DIAGNOSTIC, { accept }), OK);
    }
    const page = ['text/html', 'TEXT/HTML', 'text/html;q=0.9', 'application/json;q=0.5, text/html'];
    for (const accept of [...page, 'text/html;level=1, */*']) await thanksOf(url, form(DIAGNOSTIC, { accept }));
  });
});
