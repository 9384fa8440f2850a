import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { en } from '../../tools/words/en.ts';
import { es } from '../../tools/words/es.ts';
import { ROOT } from '../support/support.ts';
import { openSite, SKIP } from './browser-support.ts';

/** A question of a buyer, labelled from the claims alone: what answers it, by which part, and whether its figure does. */
interface Labelled {
  readonly lang: 'es' | 'en';
  readonly question: string;
  readonly claim: string | null;
  readonly part?: 'statement' | 'applicable_for' | 'not_applicable_for';
  readonly figure: boolean;
  readonly says: 'yes' | 'no' | 'case by case' | 'nothing';
}

const QUESTIONS: readonly Labelled[] = readFileSync(`${ROOT}test/pages/data/buyer-questions.jsonl`, 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line));

/** What the page of an answer shows: its first line, its claim, and what stands large or first. */
async function read(page: Page) {
  const has = async (css: string) => (await page.locator(`#answer ${css}`).count()) > 0;
  const claim = page.locator('#answer article.claim');
  return {
    verdict: await page.innerText('#answer h1'),
    claim: (await claim.count()) > 0 ? await claim.first().getAttribute('data-claim') : null,
    isNear: await has('h1.near'),
    isNone: await has('h1.none'),
    hasFigure: await has('.figure'),
    limitFirst: await has('.speaks.not'),
  };
}

type Shown = Awaited<ReturnType<typeof read>>;

/** What is counted, by its name. Faults show what is not so; silences keep back what is there. */
const COUNTS: Readonly<Record<string, (label: Labelled, shown: Shown) => boolean>> = {
  'hit: the claim, said to answer, or its limit first': (label, shown) =>
    label.claim !== null &&
    shown.claim === label.claim &&
    (label.part === 'not_applicable_for' ? shown.limitFirst : !shown.isNear && !shown.limitFirst),
  'hit: nothing is stated, and the page says so': ({ claim }, { isNone }) => claim === null && isNone,
  'fault: a figure is large under another question': ({ claim, figure }, shown) =>
    shown.hasFigure && !(figure && shown.claim === claim),
  'fault: an answer is said over a limit that says no': ({ part }, { isNear, isNone, limitFirst }) =>
    part === 'not_applicable_for' && !isNear && !isNone && !limitFirst,
  'fault: case by case and no are mixed up': ({ lang, says }, { limitFirst, verdict }) =>
    limitFirst && (says === 'case by case') !== (verdict === (lang === 'es' ? es : en).ask.caseByCase),
  'fault: another claim is said to answer': ({ claim }, shown) =>
    shown.claim !== claim && shown.claim !== null && !shown.isNear && !shown.limitFirst,
  'silence: the claim is only called near': ({ claim }, shown) =>
    claim !== null && shown.claim === claim && shown.isNear && !shown.limitFirst,
  'silence: the claim is not shown': ({ claim }, shown) => claim !== null && shown.claim !== claim,
  'silence: the figure that answers is not large': ({ claim, figure }, shown) =>
    figure && shown.claim === claim && !shown.isNear && !shown.hasFigure,
};

/** Limits that no word of the question names: five brands are a group, and Brazil is Brasil. */
const ALLOWED: Readonly<Record<string, number>> = { 'fault: an answer is said over a limit that says no': 2 };

describe('sixty questions of a buyer', SKIP, () => {
  it('get no figure under another question and no answer over a no', async t => {
    const { page, url } = await openSite(t);
    const found = new Map<string, string[]>(Object.keys(COUNTS).map(name => [name, []]));
    for (const label of QUESTIONS) {
      await page.goto(`${url}/ask?q=${encodeURIComponent(label.question)}&lang=${label.lang}`);
      const shown = await read(page);
      for (const [name, counts] of Object.entries(COUNTS))
        if (counts(label, shown)) found.get(name)?.push(label.question);
    }
    for (const [name, { length }] of found) t.diagnostic(`${name}: ${length}`);
    for (const [name, questions] of found)
      if (!name.startsWith('hit')) for (const one of questions) t.diagnostic(`${name}: ${one}`);
    const faults = [...found].filter(
      ([name, { length }]) => name.startsWith('fault') && length > (ALLOWED[name] ?? 0),
    );
    assert.deepEqual(faults, []);
    const isNear = found.get('silence: the claim is only called near') ?? [];
    assert.ok(isNear.length <= 10, isNear.join('\n'));
  });
});
