/**
 * Measures what retrieval finds: `npm run eval -- [--json FILE]`. Markdown on stdout, progress on stderr;
 * `--json bench/results/eval.json` keeps the figures from which the tables of the README are written.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BUNDLED_MODEL, loadRetrievalModel } from '../../brand/embedding/retrieval-model.ts';
import { loadStaticEmbedder } from '../../brand/embedding/static-embedder.ts';
import { type Evaluation, evalTables } from '../../docs/eval-table.ts';
import { floorRow, reliabilityRows, thresholdRow } from './asked.ts';
import { askExample, exampleRows } from './example-questions.ts';
import { askValidation } from './validation.ts';
import { evaluateXquad, type XquadRow } from './xquad.ts';

const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7];
const FLOORS = [0.001, 0.002, 0.004, 0.006, 0.008, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4];

const { values: options } = parseArgs({ options: { json: { type: 'string' } } });
const model = await loadRetrievalModel(BUNDLED_MODEL, await loadStaticEmbedder(BUNDLED_MODEL));

progress('example: examples/questions.jsonl on examples/brand.json');
const example = await askExample(model, folder('../../examples'));
progress('validation: 250 invented claims of one trade family, which neither table nor bank has seen');
const validation = await askValidation(model);
const both = [...example, ...validation];
const xquad = await measureXquad(process.env.XQUAD_DIR ?? folder('../../../shared/data/xquad'));

const evaluation: Evaluation = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: { cores: availableParallelism(), arch: process.arch },
  claims: example[0]?.ranking.length ?? 0,
  rows: exampleRows(example),
  thresholds: [
    { set: 'example', rows: THRESHOLDS.map(threshold => thresholdRow(threshold, example)) },
    { set: 'validation', rows: THRESHOLDS.map(threshold => thresholdRow(threshold, validation)) },
  ],
  reliability: reliabilityRows(both),
  floors: FLOORS.map(floor => floorRow(floor, both)),
  xquad,
};
process.stdout.write(`${evalTables(evaluation)}\n`);
if (options.json) await writeFile(options.json, `${JSON.stringify(evaluation, rounded, 2)}\n`);

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
