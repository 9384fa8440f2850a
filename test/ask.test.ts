// contract: 2.1, 2.2, 2.3, 2.4, 2.5, 6.1
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../server/config/config.ts';
import { loadBrand } from '../server/run/load-brand.ts';
import { assertRefused, bodyOf, EXAMPLE, post, startApp, TABLE_ALONE } from './support.ts';

const MANY = { LIMIT_DEFAULT: '100000/60' };

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

/** What the profile has to say in a match for a claim, without the similarity. */
function verbatim(claimId: string): object {
  const { proof_ids, ...claim } = EXAMPLE.claims.find((row: { claim_id: string }) => row.claim_id === claimId);
  const proofs = proof_ids.map((id: string) => EXAMPLE.proofs.find((row: { proof_id: string }) => row.proof_id === id));
  return { ...claim, proofs };
}

describe('an answer of /ask', () => {
  it('names the brand and the question, and brings at most five matches, best first', async t => {
    const { url } = await startApp(t);
    const answer = await bodyOf(await fetch(questionUrl(url, '¿Cuánto cuesta el diagnóstico?')));
    assert.deepEqual(Object.keys(answer), ['brand', 'query', 'matches']);
    assert.equal(answer.brand, 'Norte Claro');
    assert.equal(answer.query, '¿Cuánto cuesta el diagnóstico?');
    assert.ok(answer.matches.length >= 2 && answer.matches.length <= 5);
    assert.equal(answer.matches[0].claim_id, 'clm-diagnostic-price');
    const similarities = answer.matches.map((match: Match) => match.similarity);
    assert.deepEqual(
      similarities,
      similarities.toSorted((a: number, b: number) => b - a),
    );
  });

  it('is the same over GET and POST, whatever the language', async t => {
    const { url } = await startApp(t);
    const query = 'How long does the diagnostic take?';
    const [byGet, byPost] = [await fetch(questionUrl(url, query)), await post(`${url}/ask`, { query })];
    assert.equal(byPost.status, 200);
    assert.match(byPost.headers.get('content-type') ?? '', /^application\/json/);
    const answer = await bodyOf(byPost);
    assert.equal(answer.matches[0].claim_id, 'clm-diagnostic-duration');
    assert.deepEqual(await bodyOf(byGet), answer);
  });

  it('is verbatim the profile, claim by claim: metric only where the claim has one, proofs in their order', async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const { claim_id, statement, metric } of EXAMPLE.claims) {
      const match = (await matchesOf(url, statement)).find(row => row.claim_id === claim_id);
      assert.ok(match, `${claim_id} is among the five for its own statement`);
      const { similarity, ...rest } = match;
      assert.equal(typeof similarity, 'number');
      assert.deepEqual(rest, verbatim(claim_id));
      assert.equal('metric' in match, metric !== undefined);
    }
  });

  it('has an empty list of proofs for a claim that has none', async t => {
    const { url } = await startApp(t);
    const { claim_id, statement } = EXAMPLE.claims.find((row: { proof_ids: unknown[] }) => row.proof_ids.length === 0);
    const match = (await matchesOf(url, statement)).find(row => row.claim_id === claim_id);
    assert.deepEqual(match?.proofs, []);
  });

  it('gives similarities from 0 to 1 with at most four decimals', async t => {
    const { url } = await startApp(t, { env: MANY });
    for (const q of ['precio', 'tax law of Iceland', '🍣', 'garantía y devolución del dinero']) {
      for (const { similarity } of await matchesOf(url, q)) {
        assert.ok(similarity >= 0 && similarity <= 1, `${similarity}`);
        assert.equal(similarity, Number(similarity.toFixed(4)));
      }
    }
  });

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
    assert.ok((await matchesOf(url, '¿Cuánto cuesta el diagnóstico?')).every(({ similarity }) => similarity >= 0.6));
  });

  it('is the same each time for the same question', async t => {
    const { url } = await startApp(t);
    const texts = [];
    for (let time = 0; time < 3; time += 1) texts.push(await (await fetch(questionUrl(url, 'precio'))).text());
    assert.deepEqual(new Set(texts).size, 1);
  });

  it('trims the question and echoes it as used', async t => {
    const { url } = await startApp(t);
    assert.equal((await bodyOf(await fetch(questionUrl(url, '  precio \n')))).query, 'precio');
    assert.equal((await bodyOf(await post(`${url}/ask`, { query: '\tprecio ' }))).query, 'precio');
  });
});

describe('the question of /ask', () => {
  it('is missing when absent, empty or blank: 400 missing_query', async t => {
    const { url } = await startApp(t);
    for (const search of ['', '?', '?q', '?q=', '?q=%20%09', '?lang=es', '?q=%C2%A0']) {
      await assertRefused(fetch(`${url}/ask${search}`), 'missing_query');
    }
    for (const body of [{}, { query: '' }, { query: ' \n' }]) {
      await assertRefused(post(`${url}/ask`, body), 'missing_query');
    }
  });

  it('is missing in a JSON body that is no object', async t => {
    const { url } = await startApp(t);
    for (const body of ['[]', '["precio"]', '"precio"', '1', 'true', 'null']) {
      await assertRefused(post(`${url}/ask`, body), 'missing_query');
    }
  });

  it('has another name in GET than in POST, and the hint says so', async t => {
    const { url } = await startApp(t);
    const get = await assertRefused(fetch(`${url}/ask?query=precio`), 'missing_query');
    assert.equal(get.hint, 'Use q instead of query.');
    const posted = await assertRefused(post(`${url}/ask`, { q: 'precio' }), 'missing_query');
    assert.equal(posted.hint, 'Use query instead of q.');
  });

  it('has 1 to 2,000 code points: an emoji counts as one, and so does an accented letter', async t => {
    const { url } = await startApp(t);
    for (const query of ['a', 'a'.repeat(2000), '🍣'.repeat(2000), ` ${'ñ'.repeat(2000)} `]) {
      assert.equal((await post(`${url}/ask`, { query })).status, 200);
    }
    assert.equal((await fetch(questionUrl(url, 'ñ'.repeat(2000)))).status, 200);
    for (const query of ['a'.repeat(2001), '🍣'.repeat(2001)]) {
      const error = await assertRefused(post(`${url}/ask`, { query }), 'validation_error');
      assert.deepEqual(error.issues, ['query: at most 2000 characters']);
    }
    const error = await assertRefused(fetch(questionUrl(url, 'ñ'.repeat(2001))), 'validation_error');
    assert.deepEqual(error.issues, ['query: at most 2000 characters']);
  });

  it('is text: any other type is a validation_error', async t => {
    const { url } = await startApp(t);
    for (const query of [1, true, ['precio'], { text: 'precio' }]) {
      const error = await assertRefused(post(`${url}/ask`, { query }), 'validation_error');
      assert.deepEqual(error.issues, ['query: must be text']);
    }
  });

  it('that is null is missing, and so is an empty body, whatever its type, over POST and GET', async t => {
    const { url } = await startApp(t);
    for (const body of [{ query: null }, null, {}, { query: ' ' }]) {
      await assertRefused(post(`${url}/ask`, body), 'missing_query');
    }
    for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
      await assertRefused(fetch(`${url}/ask`, { method: 'POST', headers }), 'missing_query');
    }
    for (const query of ['', '?q=', '?q=%20']) await assertRefused(fetch(`${url}/ask${query}`), 'missing_query');
  });

  it('comes alone in a body: every unknown field is an issue, beside the others', async t => {
    const { url } = await startApp(t);
    const extra = await assertRefused(post(`${url}/ask`, { query: 'precio', lang: 'es' }), 'validation_error');
    assert.deepEqual(extra.issues, ['lang: unknown field']);
    const both = await assertRefused(post(`${url}/ask`, '{"query":7,"lang":"es","__proto__":1}'), 'validation_error');
    assert.deepEqual(both.issues.toSorted(), [
      '__proto__: unknown field',
      'lang: unknown field',
      'query: must be text',
    ]);
  });

  it('may come beside other parameters in a URL: those are ignored', async t => {
    const { url } = await startApp(t);
    const response = await fetch(`${url}/ask?utm_source=mail&q=precio&query=other&lang`);
    assert.equal((await bodyOf(response)).query, 'precio');
  });

  it('is not answered without a profile: 503 not_configured, once it is a valid question', async t => {
    const { url } = await startApp(t, { brand: null });
    await assertRefused(fetch(`${url}/ask?q=precio`), 'not_configured', 503);
    await assertRefused(post(`${url}/ask`, { query: 'precio' }), 'not_configured', 503);
    await assertRefused(fetch(`${url}/ask`), 'missing_query');
    assert.equal((await fetch(`${url}/api/v1/status`)).status, 200);
  });
});
