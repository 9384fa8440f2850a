import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startForms } from '../support/submission-support.ts';
import { startApp } from '../support/support.ts';
import { answering, visit } from './page-support.ts';

const PRICE = 'clm-diagnostic-price';
const TEAM_CLAIM = 'clm-senior-team';
const RESULTS = 'clm-price-architecture';

const addressOf = (url: string, question: string, lang = 'es') =>
  `${url}/ask?${new URLSearchParams({ q: question, lang })}`;

const VERDICTS = /responde a tu pregunta|answers your question|lo más cercano|nearest|[✓✕]/i;

describe('the page of an answer', () => {
  it('shows question, sentence, figure, both limits, how it was measured and where it comes from', async t => {
    const { url } = await startApp(t, { brand: await answering({ [PRICE]: 0.92 }) });
    const { status, html, text } = await visit(addressOf(url, '¿Cuánto cuesta el diagnóstico?'));
    assert.equal(status, 200);
    assert.match(html, /<title>¿Cuánto cuesta el diagnóstico\? · Norte Claro<\/title>/);
    assert.match(html, /<meta property="og:description" content="El diagnóstico inicial cuesta 7\.900 euros/);
    assert.match(html, /<h1 tabindex="-1" autofocus>¿Cuánto cuesta el diagnóstico\?<\/h1>/);
    assert.match(
      text,
      /De lo que hemos publicado · similitud con tu pregunta: 0,92\sde\s1\. Mide si tratan de lo mismo, no si es cierto\. El diagnóstico inicial cuesta/,
    );
    assert.match(text, /7\.900\s€ sin IVA/);
    assert.match(text, /Se aplica a Empresas con una sola marca.* No se aplica a Grupos con varias marcas/);
    assert.match(
      text,
      /Casos 62 Periodo tarifa vigente en 2026 y 2027 Base de la medición tarifa única publicada/,
    );
    assert.match(text, /Ver la prueba/);
    assert.match(text, /Palabra por palabra de nuestro perfil del 1 de noviembre de 2026\./);
    assert.doesNotMatch(text, VERDICTS);
  });

  it('can be copied with its limits and address, and checked by a command', async t => {
    const { url } = await startApp(t, { brand: await answering({ [PRICE]: 0.92 }) });
    const { html } = await visit(addressOf(url, "it's"));
    const address = `${url}/ask?q=it%27s`;
    const [, copied = ''] = /data-copy="(El diagnóstico[^"]*)"/.exec(html) ?? [];
    assert.match(copied, /\nSe aplica a: Empresas .*\nNo se aplica a: Grupos .*\nhttp/);
    assert.ok(copied.endsWith(address));
    assert.ok(html.includes(`data-copy="${address}"`));
    assert.ok(html.includes(`aval verify &#39;${address}&#39;`));
  });

  it('draws every match of a similarity of .1 with its limits, and the first whatever it has', async t => {
    const { url, use } = await startApp(t, {
      brand: await answering({ [PRICE]: 0.9, [TEAM_CLAIM]: 0.1, [RESULTS]: 0.09 }),
    });
    const { html } = await visit(addressOf(url, 'precio'));
    assert.equal(html.match(/<article/g)?.length, 2);
    assert.equal(html.match(/<dl class="limits">/g)?.length, 2);
    await use(await answering({ [RESULTS]: 0.02 }));
    assert.match((await visit(addressOf(url, 'precio'))).html, /<article class="claim">/);
  });

  it('says on an empty list that nothing is published, and leads to the form with the question', async t => {
    const { url } = await startForms(t, { brand: await answering({}) });
    const question = '¿Qué tiempo hace en Marte?';
    const { text, html } = await visit(addressOf(url, question));
    assert.match(text, /No hemos publicado nada sobre eso\. Pregunta al equipo/);
    assert.doesNotMatch(html, /<article/);
    assert.equal(html.match(/<li><a href="\/ask/g)?.length, 3);
    const [, path = ''] = /<a class="button" href="([^"]+)"/.exec(html) ?? [];
    const form = await visit(url + path.replace('&#38;', '&'));
    assert.ok(form.html.includes(`>${question}</textarea>`));
  });

  it('leads to the firm’s address and website where the brand takes no requests, with and without a match', async t => {
    const { url, use } = await startApp(t, { brand: await answering({}, { actions: {} }) });
    for (const similarities of [{}, { [PRICE]: 0.9 }]) {
      await use(await answering(similarities, { actions: {} }));
      const { html } = await visit(addressOf(url, 'un plan'));
      assert.match(html, /<a class="button" href="mailto:hola@norteclaro\.example\?subject=un%20plan">/);
      assert.match(html, /<a href="https:\/\/norteclaro\.example">Ir a norteclaro\.example<\/a>/);
    }
    await use(await answering({}, { actions: {} }));
    assert.match((await visit(addressOf(url, 'un plan'))).text, /Ver las 29 afirmaciones/);
  });

  it('keeps a question that is one too many in its box, tells the wait and the way to a person', async t => {
    const { url } = await startApp(t, { env: { LIMITS: 'default=1/600' } });
    await visit(addressOf(url, 'precio'));
    const { status, html, text } = await visit(addressOf(url, '¿Cuánto cuesta el diagnóstico?'));
    assert.equal(status, 429);
    assert.match(html, /<input id="q"[^>]* value="¿Cuánto cuesta el diagnóstico\?"/);
    assert.match(text, /Vuelve a intentarlo dentro de 10 minutos/);
    assert.match(html, /href="\/forms\/diagnostic\?context=%C2%BFCu%C3%A1nto[^"]*"/);
  });

  it('offers the first questions of the profile where nothing was typed', async t => {
    const { url } = await startApp(t);
    const { status, html } = await visit(addressOf(url, ' '));
    assert.equal(status, 400);
    assert.equal(html.match(/<li><a href="\/ask/g)?.length, 3);
  });

  it('of an expired profile says so and offers a person, not another try', async t => {
    const brand = await answering({ [PRICE]: 0.9 });
    const { url, clock } = await startApp(t, { brand });
    clock.advance((Date.parse(brand.profile.expires_at) - clock.now()) / 1000);
    const { status, html, text } = await visit(addressOf(url, 'precio'));
    assert.equal(status, 503);
    assert.match(text, /Nuestro perfil ha caducado/);
    assert.doesNotMatch(text, /Vuelve a intentarlo/);
    assert.match(html, /href="\/forms\/diagnostic\?context=precio&#38;lang=es"/);
  });
});
