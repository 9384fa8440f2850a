import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../server/config/config.ts';
import { loadBrand } from '../../server/run/load-brand.ts';
import { bodyOf, post, startApp, TABLE_ALONE } from '../support/support.ts';

interface Match {
  readonly claim_id: string;
  readonly similarity: number;
  readonly proofs: readonly object[];
}

const questionUrl = (url: string, q: string) => `${url}/ask?q=${encodeURIComponent(q)}`;

/** The matches of a question, as GET /ask answers them. */
async function matchesOf(url: string, q: string): Promise<Match[]> {
  const response = await fetch(questionUrl(url, q));
  assert.equal(response.status, 200);
  return (await bodyOf(response)).matches;
}

const brandWith = (ANSWER_FLOOR: string) => loadBrand(readConfig({ ...TABLE_ALONE, ANSWER_FLOOR }), () => {});

describe('an answer of /ask', () => {
  it('has an empty list where nothing fits, and five matches whatever is asked where ANSWER_FLOOR is 0', async t => {
    const { url } = await startApp(t);
    const { note, ...answer } = await bodyOf(await fetch(questionUrl(url, 'asdfgh')));
    assert.deepEqual(answer, { brand: 'Norte Claro', query: 'asdfgh', matches: [] });
    assert.match(note, /^No claim answers this\. Say so\./);
    const { url: open } = await startApp(t, { brand: await brandWith('0') });
    assert.equal((await matchesOf(open, 'asdfgh')).length, 5);
  });

  it('leaves out what is below ANSWER_FLOOR', async t => {
    const { url } = await startApp(t, { brand: await brandWith('0.6') });
    assert.deepEqual(await matchesOf(url, 'tax law of Iceland'), []);
    assert.ok(
      (await matchesOf(url, '¿Cuánto cuesta el diagnóstico?')).every(({ similarity }) => similarity >= 0.6),
    );
  });

  it('trims the question and echoes it as used', async t => {
    const { url } = await startApp(t);
    assert.equal((await bodyOf(await fetch(questionUrl(url, '  precio \n')))).query, 'precio');
    assert.equal((await bodyOf(await post(`${url}/ask`, { query: '\tprecio ' }))).query, 'precio');
  });
});
