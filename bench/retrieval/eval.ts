/**
 * Measures what retrieval finds: `npm run eval -- [--json FILE] [--no-xquad]`. Markdown on stdout, progress on stderr;
 * `--json bench/results/eval.json` keeps the figures from which the tables of the README are written.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadModel } from '../../brand/retrieval/load-embedder.ts';
import type { RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import { type Evaluation, evalTables } from '../../docs/eval-table.ts';
import { readConfig } from '../../server/config/config.ts';
import { bandRows, floorRow, reliabilityRows } from './asked.ts';
import { askExample, exampleRows } from './example-questions.ts';
import { askValidation } from './validation.ts';
import { evaluateXquad, type XquadRow } from './xquad.ts';

/** Floors of `some` with the usual one for a match, and the other way round. */
const FLOORS: readonly (readonly [some: number, match: number])[] = [
  ...[0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4].map(some => [some, 0.02] as const),
  ...[0, 0.01, 0.05, 0.1].map(match => [0.2, match] as const),
];

const { values: options } = parseArgs({
  options: { json: { type: 'string' }, 'no-xquad': { type: 'boolean', default: false } },
});
const examples = folder('../../examples');

const modes: Evaluation['modes'] = [];
for (const encoder of ['on', 'off']) {
  const model = remembering(await loadModel(readConfig({ ...process.env, ENCODER: encoder }).embedding));
  const mode = encoder === 'on' ? 'table and encoder' : 'table alone';
  progress(`${mode}: examples/questions.jsonl on examples/brand.json, and questions in other languages`);
  const example = await askExample(model, examples);
  const others = await askExample(model, examples, folder('./other-languages.jsonl'));
  progress(`${mode}: 250 invented claims of one trade family, which neither table nor bank nor encoder has seen`);
  const validation = await askValidation(model);
  const both = [...example, ...validation];
  modes.push({
    mode,
    rows: [...exampleRows(example), ...exampleRows(others).filter(({ language }) => language !== 'all')],
    bands: [
      { set: 'example', rows: bandRows(example) },
      { set: 'validation', rows: bandRows(validation) },
    ],
    reliability: reliabilityRows(both),
    floors: FLOORS.map(([some, match]) => floorRow(some, match, both)),
    xquad: options['no-xquad']
      ? []
      : await measureXquad(model, process.env.XQUAD_DIR ?? folder('../../../shared/data/xquad')),
  });
}

const evaluation: Evaluation = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: { cores: availableParallelism(), arch: process.arch },
  modes,
};
process.stdout.write(`${evalTables(evaluation)}\n`);
if (options.json) await writeFile(options.json, `${JSON.stringify(evaluation, rounded, 2)}\n`);

/** The same questions are asked of several profiles here; the encoder reads each once. */
function remembering(model: RetrievalModel): RetrievalModel {
  if (!model.encoder) return model;
  const { encoder } = model.encoder;
  const known = new Map<string, Promise<Float32Array>>();
  const ask = (question: string, asker: string) => {
    const vector = known.get(question) ?? encoder.ask(question, asker);
    known.set(question, vector);
    return vector;
  };
  return { ...model, encoder: { ...model.encoder, encoder: { ...encoder, ask } } };
}

async function measureXquad(model: RetrievalModel, directory: string): Promise<XquadRow[]> {
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

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(4)) : value;
}

function figure(share: number): string {
  return share.toFixed(3);
}

function folder(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

function progress(message: string): void {
  process.stderr.write(`${message}\n`);
}
