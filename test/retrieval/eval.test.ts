import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readQuestions } from '../../owner/evaluate.ts';
import { evaluate } from '../../server/cli/eval.ts';
import { readConfig } from '../../server/config/config.ts';
import { run } from '../cli/command.ts';
import { dataFolder } from '../support/example.ts';
import { folderWith, ROOT } from '../support/folder.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const EXAMPLE = {
  brand: `${ROOT}examples/brand.json`,
  questions: `${ROOT}examples/questions.jsonl`,
  config: readConfig({ DATA_DIR: dataFolder() }),
};

/** Runs `aval eval`. */
const evaluated = (options: Partial<Parameters<typeof evaluate>[0]>) =>
  run(output => evaluate({ ...EXAMPLE, ...options }, output));

const file = (content: string) => folderWith({ 'q.jsonl': content })('q.jsonl');

describe('questions', () => {
  for (const [text, message] of [
    ['', /has no question/],
    ['query,claim ids\na?,c1\n', /line 1 is no question: write it as/],
    ['{"query":"a","relevant":[]}\n{"query":\n', /line 2 is no question: write it as/],
    ['{"query":"a"}', /line 1 lacks a good "relevant": write it as .*, with \[\] where nothing answers$/],
  ] as const) {
    it(`with a slip are refused with its line: ${message.source}`, () =>
      assert.throws(() => readQuestions(bytes(text)), message));
  }
});

/** The service's answers to four questions, and the same wrong in each way. */
const price = '{"query":"¿Cuánto cuesta el diagnóstico?","relevant":["clm-diagnostic-price"],"lang":"es"}';
const nothing = '{"query":"xyzzy plugh","relevant":[],"lang":"en"}';
const wrong = price.replace('clm-diagnostic-price', 'clm-promo-waste');
const seemed = '{"query":"What does the diagnostic cost?","relevant":[],"lang":"en"}';

describe('aval eval', () => {
  it('measures by language', async () => {
    const { code, stdout } = await evaluated({ questions: file([price, wrong, nothing].join('\n')) });
    assert.equal(code, 0);
    assert.match(stdout, /^.*brand\.json: 29 claims, 3 questions\n/);
    for (const row of ['all | 2 | 1 |', 'es | 2 | 1 |', 'en | 0 | 0 | 0 | 0 | 1 | 1 |'])
      assert.ok(stdout.includes(`\n| ${row}`), row);
  });

  it('lists all that went wrong, by a rule that it says, and nothing where all is right', async () => {
    const { stdout } = await evaluated({ questions: file([price, nothing, wrong, seemed].join('\n')) });
    assert.match(
      stdout,
      /^2 of 4 went wrong: their claim did not come first, or something came where nothing/m,
    );
    assert.equal(stdout.match(/^- /gm)?.length, 2);
    assert.match(
      stdout,
      /wanted: clm-promo-waste \((?:place \d|not in five)\)\n {2}came: {3}clm-diagnostic-price/,
    );
    assert.match(stdout, /wanted: no claim: nothing in the profile answers this\n {2}came: {3}clm-/);
    const right = await evaluated({ questions: file([price, nothing].join('\n')) });
    assert.match(right.stdout, /Every question got its claim first, or none where nothing answers\./);
  });

  it('prints figures and answers for programs', async () => {
    const { stdout } = await evaluated({ questions: file(wrong), json: true });
    const { figures, answers } = JSON.parse(stdout);
    assert.equal(figures[0].first, 0);
    assert.deepEqual([answers[0].right, answers[0].ranking[0]], [false, 'clm-diagnostic-price']);
  });

  it('refuses questions that name claims the profile does not have: a slip would look like a bad model', async () => {
    const questions = file('{"query":"a?","relevant":["clm-promo-wast"]}');
    await assert.rejects(evaluated({ questions }), /does not have: clm-promo-wast \(leave the ids empty/);
  });
});
