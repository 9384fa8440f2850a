import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explain } from '../server/cli/explain.ts';
import { readConfig } from '../server/config/config.ts';
import { exampleBrand, TABLE_ALONE } from './support.ts';

const config = readConfig(TABLE_ALONE);

describe('an explained answer', () => {
  it('sums up the parts of each score, and names matched words and bank lines', async () => {
    const { profile, ask } = await exampleBrand();
    const question = '¿Cuánto cuesta el diagnóstico?';
    const text = await explain(question, profile, config);
    const { matches } = await ask(question);
    const hits = [...text.matchAll(/^(0\.\d{4}) {2}(\S+)( {2}\(left out: (.*)\))?$/gm)];
    assert.deepEqual(
      hits.filter(([, , , cut]) => cut === undefined).map(([, similarity, id]) => [Number(similarity), id]),
      matches.map(({ similarity, claim_id }) => [similarity, claim_id]),
    );
    assert.ok(hits.some(([, , , , why]) => why === 'below the floor'));
    for (const [, score, sum = ''] of text.matchAll(/score (\S+) = (.*)$/gm)) {
      const parts = [...sum.matchAll(/([\d.]+) × \w+ (-?[\d.]+)/g)].map(
        ([, weight, value]) => Number(weight) * Number(value),
      );
      assert.equal(parts.length, 4);
      assert.ok(Math.abs(parts.reduce((a, b) => a + b) - Number(score)) < 0.003);
    }
    assert.match(text, /words {2}.*diagnostico ~ diagnostico 1\.00/);
    assert.match(text, /bank {3}line \d+ \(0\.\d\d\), line/);
  });

  it('says that a question has no content word', async () => {
    const { profile } = await exampleBrand();
    assert.match(await explain('de la', profile, config), /no content word: whatever resembles it is left out/);
  });
});
