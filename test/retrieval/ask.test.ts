import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Brand, QueueFull } from '../../brand/retrieval/brand.ts';
import { exampleBrand } from '../support/example.ts';
import { bodyOf, startApp } from '../support/support.ts';

const questionUrl = (url: string, q: string) => `${url}/ask?q=${encodeURIComponent(q)}`;

const answerTo = async (url: string, q: string) => bodyOf(await fetch(questionUrl(url, q)));

describe('an answer of /ask', () => {
  it('has the three members of the contract alone where a claim answers, with the question trimmed', async t => {
    const { url } = await startApp(t);
    const { matches, ...answer } = await answerTo(url, '  ¿Cuánto cuesta el diagnóstico inicial? \n');
    assert.deepEqual(answer, { brand: 'Norte Claro', query: '¿Cuánto cuesta el diagnóstico inicial?' });
    assert.equal(matches[0].claim_id, 'clm-diagnostic-price');
    assert.ok(matches.length <= 5);
    const inCapitals = await answerTo(url, answer.query.toUpperCase());
    assert.equal(inCapitals.query, '¿CUÁNTO CUESTA EL DIAGNÓSTICO INICIAL?');
    assert.deepEqual(inCapitals.matches, (await answerTo(url, answer.query.toLowerCase())).matches);
  });

  it('is an empty list with a note that says what to do where no claim is likely to answer', async t => {
    const { url } = await startApp(t);
    const { note, ...answer } = await answerTo(url, '¿Qué tiempo hará mañana en Marte?');
    assert.deepEqual(answer, {
      brand: 'Norte Claro',
      query: '¿Qué tiempo hará mañana en Marte?',
      matches: [],
    });
    assert.match(note, /^No claim answers this\. Say so\. The brand describes itself: .*To ask a person: /);
    assert.match(note, /the action request_diagnostic sends the question to the team/);
  });

  it('is 503 not_configured with Retry-After 1 where too many questions wait, and takes its slot', async t => {
    const brand = await exampleBrand();
    const ask: Brand['ask'] = async (query, asker) => {
      if (asker) throw new QueueFull('full');
      return brand.ask(query);
    };
    const { url, lines } = await startApp(t, { brand: { ...brand, ask } });
    const response = await fetch(questionUrl(url, 'precio'));
    const body = await bodyOf(response);
    assert.deepEqual([response.status, body.code], [503, 'not_configured']);
    assert.equal(response.headers.get('retry-after'), '1');
    assert.equal(response.headers.get('ratelimit-remaining'), '59');
    assert.equal(lines.find(({ event }) => event === 'request')?.queue, 'full');
  });
});
