// contract: 3.1, 3.4

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { contrast, palettes } from '../discovery/look/theme.ts';
import type { ServedBrand } from '../server/brand/served-brand.ts';
import { englishBrand } from './english-brand.ts';
import { DIAGNOSTIC, MANY, PARTNER, postForm, startForms, TEAM } from './submission-support.ts';
import { assertRefused, bodyOf, startApp } from './support.ts';

const SPANISH_WORDS =
  /[¿¡ñáéíóú]|\b(pregunta|correo|nombre|empresa|cargo|enviar|aplica|tu|una?|los|las|del|que|para|precio|hemos|recibido|freelance)\b/i;

/** What browsers send when a person navigates. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Status and visible text of a page. */
async function pageOf(request: Promise<Response>) {
  const response = await request;
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  const html = await response.text();
  const visible = html.replace(/<head>.*?<\/head>|<script>.*?<\/script>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ');
  return { status: response.status, html, text: visible, headers: response.headers };
}

async function open(t: TestContext, path: string, headers: Record<string, string> = {}, env = {}, brand?: ServedBrand) {
  const { url } = await startApp(t, { env, ...(brand && { brand }) });
  return pageOf(fetch(url + path, { headers: { ...BROWSER, ...headers } }));
}

describe('a question of a browser', () => {
  it('is answered with a page: figure, words, boundary, folded proofs, closeness and how to verify', async t => {
    const { status, html, text } = await open(t, '/ask?q=%C2%BFCu%C3%A1nto%20cuesta%20el%20diagn%C3%B3stico%3F');
    assert.equal(status, 200);
    assert.match(text, /7\.900 EUR sin IVA El diagnóstico inicial cuesta 7\.900 euros/);
    assert.match(text, /Se aplica a Empresas con una sola marca.* No se aplica a Grupos con varias marcas/);
    assert.match(text, /Cercanía a la pregunta: responde \d,\d\d · Confianza alta/);
    assert.match(html, /<details><summary>1 prueba<\/summary>/);
    assert.match(text, /La firma demuestra quién lo publica y que nadie lo ha cambiado; no demuestra que sea cierto/);
    assert.match(text, /aval verify-answer 'http/);
  });

  it('that is weak or has no answer says so and offers the form', async t => {
    const { url } = await startApp(t);
    const ask = (question: string) =>
      pageOf(fetch(`${url}/ask?${new URLSearchParams({ q: question })}`, { headers: BROWSER }));
    const none = await ask('¿Qué tiempo hace en Marte?');
    assert.match(none.text, /No tenemos una afirmación que responda a esta pregunta\. Pregunta al equipo/);
    assert.match(none.html, /<a class="button" href="\/forms\/diagnostic\?lang=es">/);
    assert.doesNotMatch(none.html, /<article/);
  });

  it('stays JSON for whoever does not prefer a page', async t => {
    const { url } = await startApp(t);
    for (const accept of ['*/*', 'application/json', 'application/json, text/html', 'text/*']) {
      const answer = await bodyOf(await fetch(`${url}/ask?q=precio`, { headers: { accept } }));
      assert.equal(answer.brand, 'Norte Claro');
    }
  });

  it('that is missing or blank is told what to do, with 400', async t => {
    for (const path of ['/ask', '/ask?q=', '/ask?q=%20%20']) {
      const { status, text } = await open(t, path);
      assert.equal(status, 400);
      assert.match(text, /Escribe una pregunta para ver qué afirmamos sobre ella/);
      assert.doesNotMatch(text, /en unos minutos/);
    }
  });

  it('over the limit is told the wait in minutes', async t => {
    const { url } = await startApp(t, { env: { LIMIT_DEFAULT: '1/60' } });
    await fetch(`${url}/ask?q=precio`);
    const { status, text, headers } = await pageOf(fetch(`${url}/ask?q=precio`, { headers: BROWSER }));
    assert.deepEqual([status, headers.get('retry-after')], [429, '60']);
    assert.match(text, /Vuelve a intentarlo dentro de un minuto/);
  });
});

describe('the pages of the forms', () => {
  it('post both forms plainly and thank in words, without JavaScript', async t => {
    const { url, mailer } = await startForms(t);
    for (const [path, fields, thanks] of [
      ['/forms/diagnostic', DIAGNOSTIC, /Gracias Hemos recibido tu solicitud\. Una persona del equipo te responderá/],
      ['/forms/partner', PARTNER, /Gracias Hemos recibido tu candidatura al programa de partners/],
    ] as const) {
      assert.equal((await pageOf(fetch(url + path, { headers: BROWSER }))).status, 200);
      const { status, text } = await pageOf(postForm(url + path, fields, BROWSER));
      assert.equal(status, 200);
      assert.match(text, thanks);
    }
    assert.equal(mailer.to(TEAM).length, 2);
  });

  it('tell the reference that the mail of the team names, and confirm in the language of the page', async t => {
    const { url, mailer } = await startForms(t);
    const { html } = await pageOf(postForm(`${url}/forms/diagnostic?lang=en`, DIAGNOSTIC, BROWSER));
    const [, reference = ''] = /Reference: <span class="reference">([0-9A-Z]{4}-[0-9A-Z]{4})<\/span>/.exec(html) ?? [];
    assert.ok(reference.length > 0);
    await mailer.arrived(2);
    assert.ok(mailer.to(TEAM)[0]?.text.includes(reference));
    const [confirmation] = mailer.to(DIAGNOSTIC.email);
    assert.match(confirmation?.subject ?? '', /^We have received your request/);
    assert.match(confirmation?.text ?? '', /A person on the team will reply within 48 hours/);
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
    assert.match(email, / aria-invalid="true" aria-describedby="apply_partner_program-email-error" autofocus/);
    assert.match(html, /id="apply_partner_program-email-error">Correo: no es una dirección de correo válida</);
    assert.equal(html.match(/ aria-invalid="true"/g)?.length, 1);
  });

  it('name a field that no form has as it came, prototype members included', async t => {
    const { url } = await startForms(t);
    const odd = { ...DIAGNOSTIC, constructor: 'x', toString: 'y' };
    const { text, html } = await pageOf(postForm(`${url}/forms/diagnostic`, new URLSearchParams(odd), BROWSER));
    assert.match(text, /constructor: es un campo desconocido toString: es un campo desconocido/);
    assert.doesNotMatch(html, /native code|function/);
  });

  it('ask for consent where there is a privacy policy', async t => {
    const env = { PRIVACY_URL: 'https://norteclaro.example/privacidad' };
    const { html } = await open(t, '/forms/partner', {}, env);
    assert.match(
      html,
      /<input type="checkbox"[^>]* name="consent" value="https:\/\/norteclaro\.example\/privacidad" required>/,
    );
    assert.doesNotMatch((await open(t, '/forms/partner')).html, /name="consent"/);
  });
});

describe('the question box on its own', () => {
  it('is a page that asks nothing, readable from any site, in the language asked for', async t => {
    const { url } = await startApp(t);
    const headers = { ...BROWSER, origin: 'https://other.example' };
    const page = await pageOf(fetch(`${url}/forms/ask?lang=en`, { headers }));
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('access-control-allow-origin'), '*');
    assert.equal(page.headers.get('ratelimit'), (await fetch(`${url}/forms/ask`)).headers.get('ratelimit'));
    assert.match(page.html, /<label for="q">Your question<\/label>/);
    assert.doesNotMatch(page.html, /role="alert"|<article/);
  });
});

describe('a browser that is lost', () => {
  it('gets a page with the way back, and a program the body of the contract', async t => {
    const { url } = await startApp(t);
    const { status, html, text } = await pageOf(fetch(`${url}/no/such/page`, { headers: BROWSER }));
    assert.equal(status, 404);
    assert.match(text, /Esta página no existe/);
    assert.match(html, /<a href="\/\?lang=es">Inicio<\/a>/);
    await assertRefused(fetch(`${url}/no/such/page`), 'not_found', 404);
  });

  it('is told when another site sent it', async t => {
    const { url } = await startForms(t);
    const headers = { ...BROWSER, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const { status, text } = await pageOf(postForm(`${url}/forms/partner`, PARTNER, headers));
    assert.equal(status, 403);
    assert.match(text, /desde una página que no tiene permiso para enviarlo/);
  });
});

describe('fields that a website adds', () => {
  it('are taken out before validation and go into the mail of the team', async t => {
    const { form, mailer } = await startForms(t);
    const added = { _gotcha: '', consent: 'sí', page: 'https://acme.example/x', utm_source: 'boletín', utm_term: '' };
    const response = await form({ ...DIAGNOSTIC, ...added });
    assert.equal(response.status, 200);
    const [mail] = mailer.to(TEAM);
    assert.match(mail?.text ?? '', /consent:\n> sí/);
    assert.match(mail?.text ?? '', /page:\n> https:\/\/acme\.example\/x/);
    assert.match(mail?.text ?? '', /utm_source:\n> boletín/);
    assert.doesNotMatch(mail?.text ?? '', /_gotcha|utm_term/);
  });

  it('mark the mail when the trap is filled in', async t => {
    const { form, mailer } = await startForms(t);
    await form({ ...DIAGNOSTIC, _gotcha: 'x' });
    assert.match(mailer.mails[0]?.subject ?? '', /^\[¿spam\?/);
  });

  it('are refused in JSON and beyond their list: the contract allows no extra properties', async t => {
    const { form, contact } = await startForms(t);
    for (const refused of [contact({ ...DIAGNOSTIC, page: 'x' }), form({ ...DIAGNOSTIC, utm_other: 'x' })])
      await assertRefused(refused, 'validation_error');
  });

  it('send a browser on to _next within the allowed origins, and nowhere else', async t => {
    const { form } = await startForms(t, { env: { ...MANY, ALLOWED_ORIGINS: 'https://www.acme.example' } });
    const sent = await form({ ...DIAGNOSTIC, _next: 'https://www.acme.example/gracias' }, BROWSER);
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, 'https://www.acme.example/gracias']);
    for (const _next of ['https://evil.example/', '//evil.example', 'javascript:alert(1)', '/gracias', 'https:evil']) {
      const { issues } = await assertRefused(form({ ...DIAGNOSTIC, _next }), 'validation_error');
      assert.deepEqual(issues, ['_next: must be an address of this site or of ALLOWED_ORIGINS']);
    }
  });
});

describe('a refused form', () => {
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
    const crowded = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`own${i}`, 'x']));
    const { text } = await post({ ...crowded, _next: '' }, 'es');
    assert.match(text, /own12: es un campo desconocido/);
    assert.match(text, /Correo: es obligatorio/);
  });
});

describe('a visitor', () => {
  const SPANISH = SPANISH_WORDS;

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
    const { url } = await startForms(t, { env: { LIMIT_SUBMISSIONS: '1/3600' } });
    const send = (fields: Record<string, string>) => pageOf(postForm(`${url}/forms/partner?lang=en`, fields, BROWSER));
    const person = { ...PARTNER, level: 'Not sure', country: 'Spain', context: 'Twelve food clients in Galicia.' };
    for (const [page, words] of [
      [await send({ ...person, email: 'nobody' }), /Not sent .*Email: is not a valid email address/],
      [await send(person), /Thank you We have received your application to the partner program/],
      [await send(person), /Too many submissions .*Try again in one hour/],
    ] as const) {
      assert.match(page.text, words);
      assert.doesNotMatch(page.text.replaceAll('Español', ''), SPANISH);
    }
  });
});

describe('a brand in English with its own colours', () => {
  it('has no Spanish word on any page, nor in what its forms tell an agent', async t => {
    const { url } = await startApp(t, { brand: await englishBrand() });
    for (const path of [
      '/',
      '/index.md',
      '/docs',
      '/ask?q=price',
      '/ask?q=weather',
      '/ask',
      '/forms/diagnostic',
      '/forms/partner',
    ]) {
      const text = await (await fetch(url + path, { headers: path === '/index.md' ? {} : BROWSER })).text();
      // The message of the JSON API is Spanish by contract.
      const seen = text
        .replace(/&#34;message&#34;: .*/g, '')
        .replace(/<a href="[^"]*" hreflang="es"[^>]*>Español<\/a>/, '')
        .replace(/hreflang="es"|lang=es/g, '');
      assert.match(text, /<html lang="en">|lang: en/, path);
      assert.doesNotMatch(seen.replace(/<svg.*?<\/svg>|base64,[^"]*/g, ''), SPANISH_WORDS, path);
    }
  });

  it('is seen in its colours, moved until they can be read in both schemes, and by its logo', async t => {
    const { html } = await open(t, '/forms/partner', {}, {}, await englishBrand());
    assert.match(html, /<img src="data:image\/svg\+xml;base64,[^"]+" alt="Harbour &#38; Lane">/);
    const [light = '', dark = ''] = [...html.matchAll(/--accent:(#[0-9a-f]{6})/g)].map(([, color]) => color);
    assert.equal(light, '#b8336a');
    assert.ok(contrast(light, '#fffdf8') >= 4.5 && contrast(dark, '#181e25') >= 4.5, `${light} ${dark}`);
  });

  it('suggests a question that a claim answers, on pages in its own language, and counts claims only where some are left out', async t => {
    const { url } = await startApp(t, { brand: await englishBrand() });
    const home = async (lang: string) => await (await fetch(`${url}/?lang=${lang}`, { headers: BROWSER })).text();
    const english = await home('en');
    assert.match(english, /placeholder="What is behind “The first diagnostic costs/);
    assert.doesNotMatch(english, /in the profile\./);
    assert.match(await home('es'), /placeholder="¿A qué os dedicáis\?"/);
    const { html } = await open(t, '/');
    assert.match(html, /están 4 de las \d+ del perfil/);
  });

  it('cannot make its own pages unreadable', () => {
    for (const primary of ['#ffffff', '#ffff00', '#000000', '#777777', 'red', 7, undefined])
      for (const background of ['#000000', '#ffff00', '#fefefe', 'none', undefined])
        for (const text of ['#ffffff', '#000000', undefined]) {
          for (const palette of Object.values(palettes({ primary, background, text }))) {
            assert.ok(contrast(palette.accent, palette.paper) >= 4.5);
            assert.ok(contrast(palette['on-accent'], palette.accent) >= 4.5);
            assert.ok(contrast(palette.ink, palette.paper) >= 7 && contrast(palette.soft, palette.paper) >= 4.5);
          }
        }
  });
});
