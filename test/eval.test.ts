import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { figuresOf, worst } from '../owner/evaluate.ts';
import { auc } from '../owner/measures.ts';
import { readQuestions } from '../owner/questions.ts';
import { evaluate } from '../server/cli/eval.ts';
import { readConfig } from '../server/config/config.ts';
import { temporaryFolder } from './folder.ts';
import { ROOT, TABLE_ALONE } from './support.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const { embedding } = readConfig(TABLE_ALONE);
const EXAMPLE = { brand: `${ROOT}examples/brand.json`, questions: `${ROOT}examples/questions.jsonl`, embedding };

/** Runs `aval eval` and returns what it printed and answered. */
async function run(options: Partial<Parameters<typeof evaluate>[0]>) {
  const printed = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof printed) => ({
    write: (text: string) => {
      printed[name] += text;
    },
  });
  const code = await evaluate({ ...EXAMPLE, ...options }, { stdout: sink('stdout'), stderr: sink('stderr') });
  return { code, ...printed };
}

async function file(name: string, content: string): Promise<string> {
  const path = join(temporaryFolder(), name);
  await writeFile(path, content);
  return path;
}

/** Every third, say, of the example's questions, with all that the claim on waste answers. */
async function everyNth(step: number): Promise<string> {
  const lines = (await readFile(EXAMPLE.questions, 'utf8')).trimEnd().split('\n');
  return file(
    'some.jsonl',
    lines.filter((line, nth) => nth % step === 0 || line.includes('clm-promo-waste')).join('\n'),
  );
}

describe('questions', () => {
  it('are read from JSON lines and a table, in Spanish too, with any separator between ids', () => {
    const question = { query: '¿Cuánto cuesta?', relevant: ['c1', 'c2'], lang: 'es', kind: 'keyword' };
    assert.deepEqual(readQuestions(bytes(`${JSON.stringify(question)}\n\n`)), [question]);
    assert.deepEqual(readQuestions(bytes('Pregunta;Afirmaciones;Idioma;Tipo\n¿Cuánto cuesta?;c1, c2;es;keyword\n')), [
      question,
    ]);
    assert.deepEqual(readQuestions(bytes('query\nnothing answers this\n')), [
      { query: 'nothing answers this', relevant: [], lang: '?', kind: '?' },
    ]);
    for (const ids of ['c1 c2', 'c1,c2', 'c1; c2']) {
      const table = `"Pregunta","Afirmaciones","Idioma","Tipo"\n"¿Cuánto cuesta?","${ids}","es","keyword"\n`;
      assert.deepEqual(readQuestions(bytes(table)), [question], ids);
    }
  });

  for (const [text, message] of [
    ['', /has no column "query".*spaces, commas or semicolons/],
    ['query\n', /has no question/],
    ['{"query":"a","relevant":[]}\n{"query":\n', /line 2 is no JSON: one question a line, as/],
    ['{"query":"a"}', /line 1, relevant: /],
    ['query,lang\n,es\n', /row 2: the question is missing/],
  ] as const) {
    it(`with a slip are refused with its line: ${message.source}`, () =>
      assert.throws(() => readQuestions(bytes(text)), message));
  }
});

describe('the figures', () => {
  const asked = (relevant: string[], ranking: string[], similarity: number, lang = 'es') => ({
    question: { query: ranking.join(), relevant, lang, kind: '?' },
    ranking,
    similarity,
    some: similarity,
  });

  it('are the means over the questions, within bounds that hold them', () => {
    const all = [asked(['a'], ['a', 'b'], 0.9), asked(['b'], ['a', 'b'], 0.8, 'en'), asked([], ['a'], 0.3)];
    const [figures, es, en] = figuresOf(all);
    assert.equal(figures?.recall1?.value, 0.5);
    assert.equal(figures?.recall3?.value, 1);
    assert.equal(figures?.mrr?.value, 0.75);
    assert.equal(figures?.auc?.value, 1);
    assert.ok(figures.recall1.low <= 0.5 && figures.recall1.high >= 0.5);
    assert.deepEqual([es?.group, es?.recall1?.value, en?.group, en?.recall1?.value], ['es', 1, 'en', 0]);
    assert.deepEqual(figuresOf(all), figuresOf(all));
  });

  it('rank positives against negatives as every pair would', () => {
    const scores = fc.array(fc.constantFrom(0, 0.1, 0.2, 0.5, 1), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(scores, scores, (positives, negatives) => {
        const pairs = positives.flatMap(one => negatives.map(other => (Math.sign(one - other) + 1) / 2));
        assert.ok(Math.abs(auc(positives, negatives) - pairs.reduce((sum, won) => sum + won, 0) / pairs.length) < 1e-9);
      }),
    );
  });

  it('name the worst first: not found, then what seemed to answer and does not', () => {
    const [lost, seeming, second, good] = [
      asked(['x'], ['a', 'b'], 0.5),
      asked([], ['a'], 0.8),
      asked(['b'], ['a', 'b'], 0.5),
      asked(['a'], ['a'], 0.9),
    ] as const;
    assert.deepEqual(worst([good, second, seeming, lost], 10), [lost, seeming, second]);
  });
});

describe('aval eval', () => {
  it('measures by language and kind, and ends with 1 below the share that is asked for', async () => {
    const { code, stdout } = await run({ questions: await everyNth(3) });
    assert.equal(code, 0);
    assert.match(stdout, /^.*brand\.json: 24 claims, 60 questions\n/);
    assert.match(stdout, /\| all \| 52 \| 8 \| \.\d{3} \(\.\d\d to \.\d\d\) \|/);
    for (const group of ['es', 'en', 'keyword', 'typo']) assert.match(stdout, new RegExp(`^\\| ${group} \\|`, 'm'));
    assert.match(stdout, /wanted: clm-[\w-]+ \(place \d+\)\n {2}came: {3}clm-/);
    const refused = await run({ minR1: 1, questions: await everyNth(12) });
    assert.deepEqual([refused.code, refused.stderr.split('\n').length], [1, 2]);
    assert.match(refused.stderr, /^R@1 is 0\.\d{3}, below 1$/m);
  });

  it('sets a second profile beside the first, over the same questions', async () => {
    const document = JSON.parse(await readFile(EXAMPLE.brand, 'utf8'));
    const { signatures: _, ...draft } = document;
    const claims = draft.claims.filter(({ claim_id }: { claim_id: string }) => claim_id !== 'clm-promo-waste');
    const compare = await file('less.json', JSON.stringify({ ...draft, claims }));
    const { compared } = JSON.parse((await run({ compare, json: true, questions: await everyNth(12) })).stdout);
    assert.ok(compared.difference.value < 0, 'a claim that is gone cannot be found');
  });

  it('refuses questions that name claims the profile does not have: a slip would look like a bad model', async () => {
    const questions = await file('q.csv', 'query,claim ids\na?,clm-promo-wast\nb?,\n');
    await assert.rejects(
      run({ questions }),
      /does not have \(leave the ids empty where nothing answers\):\n {2}"a\?": no clm-promo-wast; did you mean clm-promo-waste\?$/,
    );
  });
});
