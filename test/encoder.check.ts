import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadProfile } from '../brand/profile/profile.ts';
import { buildBrand } from '../brand/retrieval/answers.ts';
import { loadModel } from '../brand/retrieval/model.ts';
import { readConfig } from '../server/config/config.ts';
import { hostileTexts } from './hostile-texts.ts';
import { ROOT } from './support.ts';

/** `npm run check:encoder` asks minutes of texts, where test/encoder.test.ts asks 64; `TEXTS=1500` asks fewer. */
const TEXTS = Number(process.env.TEXTS ?? 10_000);

test(`${TEXTS} hostile texts get an answer, every fifth the same twice`, async t => {
  const model = await loadModel(readConfig({ ENCODER: 'on' }).embedding);
  const { profile, digest } = await loadProfile(`${ROOT}examples/brand.json`);
  const [brand, again] = [
    await buildBrand({ ...model, profile, digest }),
    await buildBrand({ ...model, profile, digest, floors: { match: 0.02 } }),
  ];
  let matched = 0;
  for (const [nth, text] of hostileTexts(TEXTS).entries()) {
    const answer = await brand.ask(text);
    for (const { similarity } of answer.matches) assert.ok(similarity > 0 && similarity <= 1);
    matched += Number(answer.matches.length > 0);
    if (nth % 5 === 0) assert.deepEqual(await again.ask(text), answer); // each again would take twice as long
  }
  t.diagnostic(`${matched} of ${TEXTS} got a match`);
});
