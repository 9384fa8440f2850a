import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FIELDS } from '../contract/contract-fixture.ts';
import {
  assertAccepted,
  DIAGNOSTIC,
  DRY_RUN_OK,
  deleteDatabase,
  MANY,
  PARTNER,
  postForm,
  startForms,
  TEAM,
} from '../support/submission-support.ts';
import { assertRefused, PRODUCTION, startApp } from '../support/support.ts';
import { BROWSER, brandWithPolicy, followed, pageOf, visit } from './page-support.ts';

describe('the page of a form', () => {
  it('posts it plainly and thanks in the language of the page, with the reference that the team’s mail names', async t => {
    const { url, mailer } = await startForms(t);
    for (const [path, fields, thanks] of [
      ['/forms/diagnostic?lang=en', DIAGNOSTIC, /We have received your request/],
      ['/forms/partner?lang=en', PARTNER, /We have received your application to the partner program/],
    ] as const) {
      const sent = await postForm(url + path, fields, BROWSER);
      assert.match(sent.headers.get('ratelimit') ?? '', /^"submissions";r=[89];/);
      const { html, text } = await followed(url, Promise.resolve(sent));
      assert.match(text, thanks);
      const [, reference = ''] = /class="reference">([0-9A-Z]{4}-[0-9A-Z]{4})</.exec(html) ?? [];
      assert.ok(mailer.to(TEAM).at(-1)?.text.includes(reference) && reference !== '');
    }
    await mailer.arrived(3);
    assert.match(mailer.to(DIAGNOSTIC.email)[0]?.subject ?? '', /^We have received your request/);
  });

  it('has the contract’s fields, each labelled by a question, required and bounded', async t => {
    const { url } = await startApp(t);
    for (const [tool, path, fields] of [
      ['request_diagnostic', '/forms/diagnostic', FIELDS.diagnostic],
      ['apply_partner_program', '/forms/partner', FIELDS.partner],
    ] as const) {
      const { html } = await visit(url + path);
      for (const [name, [min, max]] of Object.entries(fields)) {
        const id = `${tool}-${name}`;
        const control = new RegExp(`<[a-z]+ id="${id}"[^>]*>`).exec(html)?.[0] ?? '';
        const bounds = ` minlength="${min || 1}"${name === 'context' ? '' : ` maxlength="${max}"`}`;
        assert.ok(control.includes(` name="${name}"`) && control.includes(' required'), control);
        assert.ok(control.startsWith('<select') || control.includes(bounds), control);
        assert.match(html, new RegExp(`<label for="${id}">¿[^<]+\\?</label>`));
      }
      assert.match(html, /<div class="trap" aria-hidden="true">\n.*name="_gotcha" tabindex="-1"/);
      assert.match(html, new RegExp(`<input id="${tool}-email"[^>]* type="email"`));
    }
  });

  it('is not compressed: beside a visitor’s words the length would tell of the hidden key', async t => {
    const { url } = await startForms(t);
    const codingOf = async (path: string) => (await visit(url + path)).headers.get('content-encoding');
    assert.equal(await codingOf('/forms/diagnostic?context=precio'), null);
    assert.equal(await codingOf('/ask?q=precio'), 'gzip');
  });

  it('shows the reference as received, and nothing that is none', async t => {
    const { url } = await startForms(t);
    const sent = await postForm(`${url}/forms/diagnostic?lang=es`, DIAGNOSTIC, BROWSER);
    const request = new URL(sent.headers.get('location') ?? '', url);
    assert.match((await visit(request.href)).text, /Hemos recibido tu solicitud/);
    for (const [name, value] of [
      ['reference', '<b>paid</b>'],
      ['of', 'question'],
    ] as const) {
      const forged = new URL(request);
      forged.searchParams.set(name, value);
      assert.equal((await visit(forged.href)).status, 404, name);
    }
  });

  it('promises a reply in production alone: in a dry run it says that nobody gets what is sent', async t => {
    const { url } = await startApp(t);
    const real = await startApp(t, { env: PRODUCTION });
    for (const path of ['/', '/forms/diagnostic']) {
      const trial = await visit(url + path);
      assert.match(trial.text, /en pruebas: lo que envías se guarda, y no llega a nadie/, path);
      assert.doesNotMatch(trial.html, /48 horas/, path);
      const promise = await visit(real.url + path);
      assert.match(promise.text, /Una persona del equipo te responderá en un plazo de 48 horas/, path);
      assert.doesNotMatch(promise.text, /en pruebas/, path);
    }
  });
});

describe('a refused form', () => {
  it('keeps what was typed, says what is wrong above the form and at the field, and puts the cursor there', async t => {
    const { url } = await startForms(t);
    const bad = {
      ...PARTNER,
      email: 'luis@agencia',
      company: '<b>"Mora"</b>',
      size: 'Cuarenta',
      country: '',
      context: 'corto',
    };
    const { status, html, text } = await pageOf(postForm(`${url}/forms/partner`, bad, BROWSER));
    assert.equal(status, 400);
    assert.match(text, /No se ha enviado/);
    assert.match(html, /-company"[^>]* value="&#60;b&#62;&#34;Mora&#34;&#60;\/b&#62;"/);
    assert.match(html, />corto<\/textarea>/);
    assert.match(html, /<option selected>Cuarenta<\/option>/);
    for (const [name, sentence] of [
      ['email', 'Escribe un correo como ana@example.org.'],
      ['country', 'Escribe el país.'],
      ['context', 'Escribe tu mensaje, con al menos 10 caracteres.'],
    ]) {
      const id = `apply_partner_program-${name}`;
      assert.ok(html.includes(`<li><a href="#${id}">${sentence}</a></li>`), name);
      assert.ok(html.includes(`<p class="error" id="${id}-error">${sentence}</p>`), name);
      const control = new RegExp(`<(?:input|textarea)[^>]* id="${id}"[^>]*>`).exec(html)?.[0] ?? '';
      assert.match(control, new RegExp(`${id}-error" aria-invalid="true"`));
      assert.equal(control.includes(' autofocus'), name === 'email');
    }
    assert.equal(html.match(/ aria-invalid="true"/g)?.length, 3);
  });

  it('names the faults of hidden fields too, in the visitor’s language', async t => {
    const { form } = await startForms(t, { env: MANY });
    const post = (language: string) =>
      pageOf(
        form({ ...DIAGNOSTIC, _next: 'https://evil.example/' }, { ...BROWSER, 'accept-language': language }),
      );
    assert.match((await post('es')).text, /Página de vuelta: tiene que ser una dirección de este sitio/);
    assert.match((await post('en')).text, /Return page: must be an address of this site/);
  });

  it('is one without consent where there is a privacy policy, which comes back ticked', async t => {
    const { url, kept } = await startForms(t, { brand: await brandWithPolicy() });
    const path = `${url}/forms/diagnostic`;
    const refused = await pageOf(postForm(path, { ...DIAGNOSTIC, company: '' }, BROWSER));
    assert.match(refused.text, /Escribe el nombre de tu empresa\./);
    assert.match(refused.text, /Marca la casilla para que podamos responderte\./);
    assert.match(refused.html, /name="consent"[^>]* aria-invalid="true"/);
    assert.equal(await kept(), 0);
    const ticked = { ...DIAGNOSTIC, consent: 'sí' };
    const { html } = await pageOf(postForm(path, { ...ticked, email: 'ana@' }, BROWSER));
    assert.match(html, /name="consent"[^>]* checked/);
    assert.doesNotMatch(html, /type="hidden" name="consent"/);
    assert.equal((await postForm(path, ticked, BROWSER)).status, 303);
  });

  it('over the limit tells the wait with 429, keeps what was typed, and leads to the firm’s address', async t => {
    const { form, clock } = await startForms(t, { env: { LIMITS: 'submissions=1/3600' } });
    await form(DIAGNOSTIC);
    clock.advance(600);
    const { status, text, html, headers } = await pageOf(form({ ...DIAGNOSTIC, role: 'CMO' }, BROWSER));
    assert.deepEqual(
      [status, headers.get('retry-after'), headers.get('cache-control')],
      [429, '3000', 'private, no-cache'],
    );
    assert.match(text, /Demasiados envíos .*Vuelve a intentarlo dentro de 50 minutos\./);
    assert.match(html, / value="Conservas del Norte"/);
    assert.match(text, /Si no puede esperar: Escríbenos a hola@norteclaro\.example/);
    assert.match(html, /href="mailto:hola@norteclaro\.example\?subject=Pide%20un%20diagn%C3%B3stico"/);
  });

  it('whose mail fails says that it is kept, and one that cannot be written does not', async t => {
    const { form, mailer, config } = await startForms(t);
    mailer.fail('configuration');
    const kept = await pageOf(form(DIAGNOSTIC, BROWSER));
    assert.equal(kept.status, 500);
    assert.match(
      kept.text,
      /lo hemos guardado y lo seguimos intentando\. No hace falta que lo envíes otra vez/,
    );
    assert.match(kept.text, /Referencia [A-Z]{4}-\d{4}/);
    assert.doesNotMatch(kept.html, /Vuelve|No se ha enviado|<form method="post"/);
    await deleteDatabase(config.dataDirectory);
    const lost = await pageOf(form({ ...DIAGNOSTIC, name: 'Eva Gil' }, BROWSER));
    assert.match(lost.text, /Vuelve a intentarlo en unos minutos/);
    assert.doesNotMatch(lost.text, /guardado/);
  });

  it('that a foreign page sent says where it may be sent', async t => {
    const { form } = await startForms(t);
    const foreign = { ...BROWSER, 'sec-fetch-site': 'cross-site' };
    const { text, html } = await pageOf(form(DIAGNOSTIC, foreign));
    assert.match(text, /Envíalo desde nuestra web/);
    assert.doesNotMatch(html, /method="post"/);
  });
});

describe('fields that a website adds', () => {
  it('reach the team in its mail, marked where the form does not have them', async t => {
    const { form, mailer } = await startForms(t);
    const added = {
      consent: 'sí',
      utm_source: 'boletín',
      utm_term: '',
      phone: '600 100 200',
      constructor: 'y',
    };
    assert.equal((await form({ ...DIAGNOSTIC, ...added, _gotcha: '' }, BROWSER)).status, 303);
    const text = mailer.to(TEAM)[0]?.text ?? '';
    assert.match(text, /Consentimiento:\n> sí/);
    assert.match(text, /utm_source:\n> boletín/);
    assert.match(text, /no tiene:\n> phone\n> 600 100 200\n.*> constructor\n> y\n/s);
    assert.doesNotMatch(text, /_gotcha|utm_term/);
  });

  it('send a browser on to _next within the allowed origins, and nowhere else', async t => {
    const { form } = await startForms(t, { env: { ...MANY, ALLOWED_ORIGINS: 'https://www.acme.example' } });
    const sent = await form({ ...DIAGNOSTIC, _next: 'https://www.acme.example/€#fin' }, BROWSER);
    assert.match(
      sent.headers.get('location') ?? '',
      /^https:\/\/www\.acme\.example\/%E2%82%AC\?reference=[A-Z]{4}-\d{4}#fin$/,
    );
    for (const _next of [
      ...['https://www.acme.example\\@evil.example', 'https://evil.example/', '//evil.example'],
      ...['javascript:alert(1)', '/gracias', 'https:evil'],
    ]) {
      const { issues } = await assertRefused(form({ ...DIAGNOSTIC, _next }), 'validation_error');
      assert.deepEqual(issues, ['_next: must be an address of this site or of ALLOWED_ORIGINS']);
    }
  });
});

describe('a visitor', () => {
  it('reads the language of ?lang=, else of the browser, else of the brand', async t => {
    const { url } = await startApp(t);
    const langOf = async (path: string, accept: Record<string, string> = {}) => {
      const { html, headers } = await visit(url + path, accept);
      assert.match(headers.get('vary') ?? '', /Accept-Language/, 'no cache mixes the languages');
      return /<html lang="(\w+)">/.exec(html)?.[1];
    };
    for (const path of ['/?', '/ask?q=precio', '/forms/diagnostic?']) {
      assert.equal(await langOf(path), 'es', path);
      assert.equal(await langOf(path, { 'accept-language': 'en-IE,en;q=0.9,es;q=0.8' }), 'en', path);
      assert.equal(await langOf(`${path}&lang=es`, { 'accept-language': 'en' }), 'es', path);
    }
  });

  it('who is lost gets a page with the way back, and a program the body of the contract', async t => {
    const { url } = await startApp(t);
    const { status, html, text } = await visit(`${url}/no/such/page`);
    assert.equal(status, 404);
    assert.match(text, /Esta página no existe/);
    assert.match(html, /<a href="\/\?lang=es">Ir al inicio<\/a>/);
    await assertRefused(fetch(`${url}/no/such/page`), 'not_found', 404);
  });

  it('gets a page after a post where the client prefers one, and a program JSON', async t => {
    const { form } = await startForms(t, { env: MANY });
    for (const accept of ['*/*', 'application/json, text/html', 'text/html;q=0', 'text/html;q=high'])
      await assertAccepted(form(DIAGNOSTIC, { accept }), DRY_RUN_OK);
    for (const accept of ['TEXT/HTML', 'application/json;q=0.5, text/html', 'text/html;level=1, */*']) {
      const location = (await form(DIAGNOSTIC, { accept })).headers.get('location') ?? '';
      assert.match(location, /^\/forms\/thanks\?of=diagnostic&reference=[A-Z]{4}-\d{4}&lang=es$/);
    }
  });
});
