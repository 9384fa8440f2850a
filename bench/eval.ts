/**
 * Measures what retrieval finds: `npm run eval -- [--json FILE]`. Markdown on stdout, progress on stderr;
 * `--json bench/results/eval.json` keeps the figures from which the tables of the README are written.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BUNDLED_MODEL, loadRetrievalModel } from '../brand/parameters.ts';
import { loadStaticEmbedder } from '../brand/static-embedder.ts';
import { type ExampleFigures, evaluateExample } from './example-questions.ts';
import { evaluateXquad, type XquadRow } from './xquad.ts';

const { values: options } = parseArgs({ options: { json: { type: 'string' } } });
const embedder = await loadStaticEmbedder(BUNDLED_MODEL);
const model = { ...(await loadRetrievalModel(BUNDLED_MODEL)), embedder, note: progress };

progress('example: examples/questions.jsonl on examples/brand.json');
const example = await evaluateExample(model, folder('../examples'));
const xquad = await measureXquad(process.env.XQUAD_DIR ?? folder('../../shared/data/xquad'));

process.stdout.write(`${exampleTables(example)}\n${xquad.length > 0 ? `\n${xquadTable(xquad)}\n` : ''}`);
if (options.json) await writeFile(options.json, renderFigures());

async function measureXquad(directory: string): Promise<XquadRow[]> {
  if (!existsSync(directory)) {
    progress(
      'XQuAD skipped: get google-deepmind/xquad (CC BY-SA 4.0) and set XQUAD_DIR to the folder of xquad.en.json',
    );
    return [];
  }
  const rows: XquadRow[] = [];
  for await (const row of evaluateXquad(model, directory)) {
    progress(`XQuAD ${row.unit} ${row.asked} to ${row.told}: R@1 ${figure(row.recall1)}`);
    rows.push(row);
  }
  return rows;
}

function exampleTables({ claims, rows, thresholds }: ExampleFigures): string {
  const ranked = rows.map(({ language, questions, unanswerable, ...row }) => {
    return [
      language,
      `${questions} + ${unanswerable}`,
      figure(row.recall1),
      figure(row.recall3),
      figure(row.mrr10),
      figure(row.auc),
    ];
  });
  const kept = thresholds.map(({ threshold, answerableKept, unanswerableKept, precision }) => {
    return [`${threshold}`, percent(answerableKept), percent(unanswerableKept), percent(precision)];
  });
  return [
    table([`Questions on ${claims} claims`, 'answerable + unanswerable', 'R@1', 'R@3', 'MRR@10', 'AUC'], ranked),
    table(
      ['similarity at least', 'answerable kept (recall)', 'unanswerable kept', 'answerable among the kept (precision)'],
      kept,
    ),
  ].join('\n\n');
}

function xquadTable(rows: readonly XquadRow[]): string {
  const cells = rows.map(({ unit, asked, told, texts, questions, ...row }) => {
    return [
      unit,
      `${asked} → ${told}`,
      `${questions}`,
      `${texts}`,
      figure(row.recall1),
      figure(row.recall3),
      figure(row.mrr10),
    ];
  });
  return table(['XQuAD', 'asked → told', 'questions', 'texts', 'R@1', 'R@3', 'MRR@10'], cells);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

/** `.755`, as the literature writes shares. */
function figure(share: number): string {
  return share.toFixed(3).replace(/^0/, '');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function renderFigures(): string {
  const figures = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: { cores: availableParallelism(), arch: process.arch },
    model: embedder.id,
    example,
    xquad,
  };
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(4)) : value);
  return `${JSON.stringify(figures, rounded, 2)}\n`;
}

function folder(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}
