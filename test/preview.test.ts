import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { cspHash } from '../discovery/look/html.ts';
import { createMarker } from '../owner/studio/marker.ts';
import { until } from './outbox-support.ts';
import { DRAFT, startDraft } from './preview-support.ts';

const pageOf = async (url: string) => (await fetch(url)).text();

describe('aval preview', { timeout: 60_000 }, () => {
  it('shows every claim with its boundary and proofs, and each fault beside the claim it belongs to', async t => {
    const { url } = await startDraft(t);
    const page = await pageOf(url);
    const [, broken = '', odd = '', good = ''] = page.split('<h3>');
    assert.match(
      broken,
      /clm-price-architecture.*Esta afirmación aún no está completa.*Error.*boundary\.not_applicable_for.*is missing/s,
    );
    assert.match(
      odd,
      /clm-promo-waste.*Se aplica a.*pruebas?<\/summary>.*Aviso.*confidence.*is no word that agents know/s,
    );
    assert.doesNotMatch(good, /Error|Aviso/);
    assert.match(page, /6 afirmaciones, 1 error, 1 aviso\b/);
  });

  it('explains each match: its scores, the background level, and the words that meet the question', async t => {
    const { url } = await startDraft(t);
    const page = await pageOf(`${url}?q=${encodeURIComponent('¿qué ofertas no sirven?')}`);
    const [, first = ''] = (page.split('id="answer"')[1] ?? '').split('<h3>');
    assert.match(first, /^clm-promo-waste/);
    for (const score of ['Similitud', 'dense', 'late', 'lexical']) assert.ok(first.includes(score), score);
    assert.match(first, /<mark>ofertas<\/mark>/);
    assert.match(page, /nivel de fondo/);
  });

  it('shows the result of questions of one’s own, or what is wrong with them', async t => {
    const { url } = await startDraft(t);
    assert.match(await pageOf(url), /Tus preguntas.*De 1 pregunta: en primer lugar [01]\.\d\d/s);
    const { url: slip } = await startDraft(t, { questions: 'a,b\n1,2\n' });
    assert.match(await pageOf(slip), /questions\.csv: has no column &#34;query&#34;/);
  });

  it('says so to open pages when the file is saved, and shows what it says then, even when it is no JSON', async t => {
    const { url, save } = await startDraft(t);
    const events = await fetch(`${url}events`);
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    save(JSON.stringify(DRAFT, null, 2).replace('El ', 'EL ').replace('"claims": [', '"claims": [ ,'));
    assert.match((await reader?.read())?.value ?? '', /data: changed/);
    assert.match(await pageOf(url), /Error<\/strong>, línea \d+.*expected a value/s);
    await reader?.cancel();
  });

  it('stays as it was while the file is gone, and says what to do', async t => {
    const { url, files, notes } = await startDraft(t);
    rmSync(files.profile);
    await until(() => notes.length > 0);
    assert.equal(
      notes[0],
      `${files.profile} is gone: save it there again, and the page follows; until then the page stays as it is`,
    );
    assert.match(await pageOf(url), /clm-promo-waste/);
  });

  it('wears the colours of the draft, and lets their style in', async t => {
    const { url } = await startDraft(t, { draft: { ...DRAFT, colors: { primary: '#b8336a' } } });
    const response = await fetch(url);
    const style = /<style>(.*?)<\/style>/s.exec(await response.text())?.[1] ?? '';
    assert.match(style, /--accent:#b8336a/);
    assert.ok(response.headers.get('content-security-policy')?.includes(cspHash(style)));
  });

  it('answers this machine alone: no other name, no other method, no other path', async t => {
    const { url } = await startDraft(t);
    const { port } = new URL(url);
    const statusOf = (headers: object, method = 'GET', path = '/') =>
      new Promise(resolve => {
        const options = { port, method, path, headers: { ...headers } };
        request(options, response => resolve(response.resume().statusCode)).end();
      });
    assert.equal(await statusOf({ host: `localhost:${port}` }), 200);
    assert.equal(await statusOf({ host: 'evil.example' }), 403);
    assert.equal(await statusOf({}, 'POST'), 405);
    assert.equal(await statusOf({}, 'GET', '/.well-known/brand.json'), 404);
    const { headers } = await fetch(url);
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  });

  it('escapes what a draft or a question says', async t => {
    const draft = { ...DRAFT, claims: [{ ...DRAFT.claims[2], statement: '<script>alert(1)</script>' }] };
    const { url } = await startDraft(t, { draft });
    const page = await pageOf(`${url}?q=${encodeURIComponent('"><img src=x>')}`);
    assert.doesNotMatch(page, /<img|<script>alert/);
    assert.match(page, /&#60;script&#62;alert/);
  });
});

describe('the marks', () => {
  it('go by spelling, whatever the accents, where the model has no tokens', () => {
    const pieces = createMarker('¿El DIAGNOSTICO cuesta?', undefined)('Un diagnóstico que no cuesta.');
    assert.deepEqual(
      pieces.filter(({ matched }) => matched).map(({ text }) => text),
      ['diagnóstico', 'cuesta'],
    );
    assert.equal(pieces.map(({ text }) => text).join(''), 'Un diagnóstico que no cuesta.');
  });
});
