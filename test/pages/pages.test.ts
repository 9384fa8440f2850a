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

const SPANISH_WORDS =
  /[¿¡ñáéíóú]|\b(pregunta|correo|nombre|empresa|cargo|enviar|aplica|tu|una?|los|las|del|que|para|precio|hemos|recibido|freelance)\b/i;

describe('the pages of the forms', () => {
  it('post both forms plainly and thank in words, without JavaScript', async t => {
    const { url, mailer } = await startForms(t);
    for (const [path, fields, thanks] of [
      [
        '/forms/diagnostic',
        DIAGNOSTIC,
        /Hemos recibido tu solicitud Esta web está en pruebas: lo que envías se guarda, y no llega a nadie\./,
      ],
      ['/forms/partner', PARTNER, /Hemos recibido tu candidatura al programa de partners/],
    ] as const) {
      assert.equal((await pageOf(fetch(url + path, { headers: BROWSER }))).status, 200);
      const { text } = await followed(url, postForm(url + path, fields, BROWSER));
      assert.match(text, thanks);
      assert.doesNotMatch(text, /te responderá/);
    }
    assert.equal(mailer.to(TEAM).length, 2);
  });

  it('tell the reference that the mail of the team names, and confirm in the language of the page', async t => {
    const { url, mailer } = await startForms(t);
    const { html } = await followed(url, postForm(`${url}/forms/diagnostic?lang=en`, DIAGNOSTIC, BROWSER));
    const [, reference = ''] = /class="reference">([0-9A-Z]{4}-[0-9A-Z]{4})</.exec(html) ?? [];
    assert.ok(reference.length > 0);
    await mailer.arrived(2);
    assert.ok(mailer.to(TEAM)[0]?.text.includes(reference));
    const [confirmation] = mailer.to(DIAGNOSTIC.email);
    assert.match(confirmation?.subject ?? '', /^We have received your request/);
    assert.match(confirmation?.text ?? '', /A person on the team will reply within 48 hours/);
  });

  it('have the contract’s fields, each labelled by a question, required and bounded', async t => {
    const { url } = await startApp(t);
    for (const [tool, path, fields] of [
      ['request_diagnostic', '/forms/diagnostic', FIELDS.diagnostic],
      ['apply_partner_program', '/forms/partner', FIELDS.partner],
    ] as const) {
      const { html } = await visit(url + path);
      for (const [name, [min, max]] of Object.entries(fields)) {
        const id = `${tool}-${name}`;
        const control = new RegExp(`<[a-z]+ id="${id}"[^>]*>`).exec(html)?.[0] ?? '';
        // Browsers count an emoji as two, and only a long text has many.
        const typed = name === 'context' ? 2 * max : max;
        const bounds = ` minlength="${min || 1}" maxlength="${typed}"`;
        assert.ok(control.includes(` name="${name}"`) && control.includes(' required'), control);
        assert.ok(control.startsWith('<select') || control.includes(bounds), control);
        assert.match(html, new RegExp(`<label for="${id}">¿[^<]+\\?</label>`));
      }
      assert.match(html, /<div class="trap" aria-hidden="true">\n.*name="_gotcha" tabindex="-1"/);
    }
    const { html } = await visit(`${url}/forms/partner`);
    assert.match(html, /<input id="apply_partner_program-email"[^>]* type="email"/);
    for (const choice of ['16 a 30', 'Más de 30', 'Referidor', 'No estoy seguro'])
      assert.ok(html.includes(`<option>${choice}</option>`), choice);
  });

  it('hold a text that a link brings along, however it counts, whole', async t => {
    const { url } = await startApp(t);
    for (const text of ['🐟'.repeat(2500), 'a'.repeat(8000)]) {
      const { html } = await visit(`${url}/forms/diagnostic?context=${encodeURIComponent(text)}`);
      assert.equal(/<textarea[^>]*>([^<]*)/.exec(html)?.[1], text);
    }
    const { html } = await visit(url);
    assert.match(html, /<input id="q"[^>]* maxlength="4000"/);
  });

  it('are not compressed: beside a visitor’s words the length would tell of the hidden key', async t => {
    const { url } = await startForms(t);
    const codingOf = async (path: string) => (await visit(url + path)).headers.get('content-encoding');
    assert.equal(await codingOf('/forms/diagnostic?context=precio'), null);
    assert.equal(await codingOf('/ask?q=precio'), 'gzip');
  });

  it('show the reference as received, and nothing that is none', async t => {
    const { url } = await startForms(t, { env: MANY });
    const send = async (path: string, fields: object) => {
      const sent = await postForm(`${url}${path}?lang=es`, { ...fields }, BROWSER);
      return new URL(sent.headers.get('location') ?? '', url);
    };
    const request = await send('/forms/diagnostic', DIAGNOSTIC);
    assert.match((await visit(request.href)).text, /Hemos recibido tu solicitud/);
    for (const [name, value] of [
      ['reference', '<b>paid</b>'],
      ['reference', ''],
      ['of', 'question'],
    ] as const) {
      const forged = new URL(request);
      forged.searchParams.set(name, value);
      assert.equal((await visit(forged.href)).status, 404, name);
    }
  });

  it('count in the bucket of the forms, and stay on this side of the contract: partners as JSON only', async t => {
    const { url } = await startForms(t);
    const sent = await postForm(`${url}/forms/partner`, PARTNER, BROWSER);
    assert.match(sent.headers.get('ratelimit') ?? '', /^"submissions";r=9;/);
    await assertRefused(postForm(`${url}/api/v1/partners`, PARTNER), 'invalid_request');
    const description = await (await fetch(`${url}/openapi.json`)).text();
    assert.doesNotMatch(description, /"\/forms\//);
  });

  it('keep what was typed after a refusal, mark what is wrong and put the cursor there', async t => {
    const { url } = await startForms(t);
    const bad = { ...PARTNER, email: 'luis@agencia', name: '<b>"Luis"</b>' };
    const { status, html, text } = await pageOf(postForm(`${url}/forms/partner`, bad, BROWSER));
    assert.equal(status, 400);
    assert.match(text, /No se ha enviado/);
    assert.match(html, /id="apply_partner_program-name"[^>]* value="&#60;b&#62;&#34;Luis&#34;&#60;\/b&#62;"/);
    assert.match(html, />Doce clientes de alimentación en Galicia\.<\/textarea>/);
    const email = /<input[^>]* id="apply_partner_program-email"[^>]*>/.exec(html)?.[0] ?? '';
    assert.match(
      email,
      / aria-describedby="apply_partner_program-email-error" aria-invalid="true" autofocus/,
    );
    assert.match(html, /id="apply_partner_program-email-error">Escribe un correo como ana@example/);
    assert.equal(html.match(/ aria-invalid="true"/g)?.length, 1);
  });

  it('promise a reply in production alone: in a dry run each says that nobody gets what is sent', async t => {
    const { url } = await startApp(t);
    const real = await startApp(t, { env: PRODUCTION });
    for (const path of ['/', '/forms/diagnostic', '/forms/partner']) {
      const [trial, promise] = await Promise.all(
        [url, real.url].map(server => pageOf(fetch(server + path, { headers: BROWSER }))),
      );
      assert.match(trial?.text ?? '', /en pruebas: lo que envías se guarda, y no llega a nadie/, path);
      assert.doesNotMatch(trial?.html ?? '', /48 horas/, path);
      assert.match(promise?.text ?? '', /Una persona del equipo te responderá en un plazo de 48 horas/, path);
      assert.doesNotMatch(promise?.text ?? '', /en pruebas/, path);
    }
  });

  it('refuse a post without consent where there is a privacy policy, with all that is wrong, and send one with it', async t => {
    const { url, kept } = await startForms(t, { brand: await brandWithPolicy() });
    const path = `${url}/forms/diagnostic`;
    const refused = await pageOf(postForm(path, { ...DIAGNOSTIC, company: '' }, BROWSER));
    assert.equal(refused.status, 400);
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
});

describe('a browser that is lost', () => {
  it('gets a page with the way back, and a program the body of the contract', async t => {
    const { url } = await startApp(t);
    const { status, html, text } = await pageOf(fetch(`${url}/no/such/page`, { headers: BROWSER }));
    assert.equal(status, 404);
    assert.match(text, /Esta página no existe/);
    assert.match(html, /<a href="\/\?lang=es">Ir al inicio<\/a>/);
    await assertRefused(fetch(`${url}/no/such/page`), 'not_found', 404);
  });

  it('says of a form that a foreign page sent where it may be sent', async t => {
    const { form } = await startForms(t);
    const { status, text } = await pageOf(form(DIAGNOSTIC, { ...BROWSER, 'sec-fetch-site': 'cross-site' }));
    assert.equal(status, 403);
    assert.match(text, /Envíalo desde nuestra web/);
  });
});

describe('fields that a website adds', () => {
  it('are taken out before validation and go into the mail of the team', async t => {
    const { form, mailer } = await startForms(t);
    const foreign = { _subject: 'Hola', 'g-recaptcha-response': 'x', 'cf-turnstile-response': 'x' };
    const added = {
      ...foreign,
      _gotcha: '',
      consent: 'sí',
      page: 'https://acme.example/x',
      utm_source: 'boletín',
      utm_term: '',
    };
    const response = await form({ ...DIAGNOSTIC, ...added });
    assert.equal(response.status, 200);
    const [mail] = mailer.to(TEAM);
    assert.match(mail?.text ?? '', /Consentimiento:\n> sí/);
    assert.match(mail?.text ?? '', /Página:\n> https:\/\/acme\.example\/x/);
    assert.match(mail?.text ?? '', /utm_source:\n> boletín/);
    assert.doesNotMatch(mail?.text ?? '', /_gotcha|utm_term|Hola|captcha|turnstile/);
  });

  it('of a page that a person sends reach the team marked and bounded, since the person cannot mend them', async t => {
    const { form, mailer } = await startForms(t);
    const page = {
      ...DIAGNOSTIC,
      phone: '600 100 200',
      enviar: 'Enviar',
      long: 'x'.repeat(900),
      utm_campaign: 'z'.repeat(900),
      constructor: 'y',
    };
    assert.equal((await form(new URLSearchParams(page), BROWSER)).status, 303);
    const text = mailer.to(TEAM)[0]?.text ?? '';
    assert.match(text, /> phone\n> 600 100 200\n.*> enviar\n> Enviar\n.*> constructor\n> y\n/s);
    for (const letter of ['x', 'z']) {
      assert.ok(text.includes(letter.repeat(20)) && !text.includes(letter.repeat(501)), letter);
    }
  });

  it('send a browser on to _next within the allowed origins, and nowhere else', async t => {
    const { form } = await startForms(t, { env: { ...MANY, ALLOWED_ORIGINS: 'https://www.acme.example' } });
    const sent = await form({ ...DIAGNOSTIC, _next: 'https://www.acme.example/gracias' }, BROWSER);
    assert.equal(sent.status, 303);
    assert.match(
      sent.headers.get('location') ?? '',
      /^https:\/\/www\.acme\.example\/gracias\?reference=[A-Z]{4}-\d{4}$/,
    );
    const odd = await form({ ...DIAGNOSTIC, role: 'CEO', _next: 'https://www.acme.example/€#fin' }, BROWSER);
    assert.match(
      odd.headers.get('location') ?? '',
      /^https:\/\/www\.acme\.example\/%E2%82%AC\?reference=\S+#fin$/,
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

describe('a refused form', () => {
  it('says what is wrong in the same sentence above the form and at the field', async t => {
    const { url } = await startForms(t, { env: MANY });
    const bad = { ...DIAGNOSTIC, name: 'A', company: '', context: 'corto' };
    const { html } = await pageOf(postForm(`${url}/forms/diagnostic?lang=es`, bad, BROWSER));
    for (const [name, sentence] of [
      ['name', 'Escribe tu nombre, con al menos 2 caracteres.'],
      ['company', 'Escribe el nombre de tu empresa.'],
      ['context', 'Escribe tu mensaje, con al menos 10 caracteres.'],
    ]) {
      const id = `request_diagnostic-${name}`;
      assert.ok(html.includes(`<li><a href="#${id}">${sentence}</a></li>`), name);
      assert.ok(html.includes(`<p class="error" id="${id}-error">${sentence}</p>`), name);
    }
  });

  it('names every fault in the visitor’s language, those of hidden fields included', async t => {
    const { form } = await startForms(t, { env: MANY });
    const post = (fields: Record<string, string>, language: string) =>
      pageOf(form(fields, { ...BROWSER, 'accept-language': language }));
    const astray = { ...DIAGNOSTIC, _next: 'https://evil.example/' };
    const spanish = await post(astray, 'es');
    assert.equal(spanish.status, 400);
    assert.match(spanish.text, /Página de vuelta: tiene que ser una dirección de este sitio/);
    assert.doesNotMatch(spanish.text, /_next|must be/);
    assert.match((await post(astray, 'en')).text, /Return page: must be an address of this site/);
    assert.match((await post({ _next: '' }, 'es')).text, /Escribe un correo como ana@example\.org\./);
  });
});

describe('a visitor', () => {
  it('reads the language of ?lang=, else of the browser, else of the brand', async t => {
    const { url } = await startApp(t);
    const langOf = async (path: string, headers: Record<string, string> = {}) => {
      const { html } = await pageOf(fetch(url + path, { headers: { ...BROWSER, ...headers } }));
      return /<html lang="(\w+)">/.exec(html)?.[1];
    };
    for (const path of ['/', '/ask?q=precio', '/forms/diagnostic', '/forms/partner']) {
      assert.equal(await langOf(path), 'es', path);
      assert.equal(await langOf(path, { 'accept-language': 'en-IE,en;q=0.9,es;q=0.8' }), 'en', path);
      const join = path.includes('?') ? '&' : '?';
      assert.equal(await langOf(`${path}${join}lang=es`, { 'accept-language': 'en' }), 'es', path);
    }
  });

  it('is refused, thanked and limited in that language', async t => {
    const { url } = await startForms(t, { env: { LIMITS: 'submissions=1/3600' } });
    const send = (fields: Record<string, string>) =>
      pageOf(postForm(`${url}/forms/partner?lang=en`, fields, BROWSER));
    const person = {
      ...PARTNER,
      level: 'Not sure',
      country: 'Spain',
      context: 'Twelve food clients in Galicia.',
    };
    for (const [page, words] of [
      [
        await send({ ...person, email: 'nobody' }),
        /Not sent .*Write an email address like anna@example\.org\./,
      ],
      [
        await followed(url, postForm(`${url}/forms/partner?lang=en`, person, BROWSER)),
        /We have received your application/,
      ],
      [await send({ ...person, size: '2' }), /Too many submissions .*Try again in 60 minutes/],
    ] as const) {
      assert.match(page.text, words);
      assert.doesNotMatch(page.text.replaceAll('Español', ''), SPANISH_WORDS);
    }
  });
});

describe('a plain form post of a browser', () => {
  it('over the limit tells the wait with 429, keeps what was typed, and leads to the firm’s address', async t => {
    const { form, clock } = await startForms(t, { env: { LIMITS: 'submissions=1/3600' } });
    await form(DIAGNOSTIC);
    clock.advance(600);
    const { status, text, html, headers } = await pageOf(form({ ...DIAGNOSTIC, role: 'CMO' }, BROWSER));
    assert.deepEqual(
      [status, headers.get('retry-after'), headers.get('cache-control')],
      [429, '3000', 'private, no-cache'],
    );
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
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
      /^.*Lo hemos recibido .*lo hemos guardado y lo seguimos intentando\. No hace falta que lo envíes otra vez/,
    );
    assert.match(kept.text, /Referencia [A-Z]{4}-\d{4}/);
    assert.doesNotMatch(kept.text, /Vuelve|No se ha enviado/);
    assert.doesNotMatch(kept.html, /<form method="post"/);
    await deleteDatabase(config.dataDirectory);
    const lost = await pageOf(form({ ...DIAGNOSTIC, name: 'Eva Gil' }, BROWSER));
    assert.match(lost.text, /Vuelve a intentarlo en unos minutos/);
    assert.doesNotMatch(lost.text, /guardado/);
  });
});

describe('JSON is the answer', () => {
  it('to a form post that does not prefer a page', async t => {
    const { form, url } = await startForms(t, { env: { LIMITS: 'submissions=1000/60' } });
    for (const accept of [
      ...['*/*', 'application/json', 'text/*, */*', 'application/json, text/html'],
      ...['text/html;q=0.5, application/json;q=0.9', 'text/html, application/json;q=1', 'text/html;q=0'],
      ...['text/html;q=high', 'application/xhtml+xml'],
    ]) {
      await assertAccepted(form(DIAGNOSTIC, { accept }), DRY_RUN_OK);
    }
    const page = ['text/html', 'TEXT/HTML', 'text/html;q=0.9', 'application/json;q=0.5, text/html'];
    for (const accept of [...page, 'text/html;level=1, */*']) {
      const location = (await form(DIAGNOSTIC, { accept })).headers.get('location') ?? '';
      assert.match(location, /^\/forms\/thanks\?of=diagnostic&reference=[A-Z]{4}-\d{4}&lang=es$/);
      // An address, so that a reload sends nothing.
      assert.equal((await pageOf(fetch(url + location, { headers: BROWSER }))).status, 200);
    }
  });
});
