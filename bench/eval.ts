/**
 * Measures what retrieval finds: `npm run eval -- [--json FILE]`. Markdown on stdout, progress on stderr;
 * `--json bench/results/eval.json` keeps the figures from which the tables of the README are written.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BUNDLED_MODEL, loadRetrievalModel } from '../brand/embedding/retrieval-model.ts';
import { loadStaticEmbedder } from '../brand/embedding/static-embedder.ts';
import { type Evaluation, evalTables } from '../docs/eval-table.ts';
import { evaluateExample } from './example-questions.ts';
import { evaluateXquad, type XquadRow } from './xquad.ts';

const { values: options } = parseArgs({ options: { json: { type: 'string' } } });
const model = await loadRetrievalModel(BUNDLED_MODEL, await loadStaticEmbedder(BUNDLED_MODEL));

progress('example: examples/questions.jsonl on examples/brand.json');
const example = await evaluateExample(model, folder('../examples'));
const xquad = await measureXquad(process.env.XQUAD_DIR ?? folder('../../shared/data/xquad'));

const evaluation: Evaluation = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  machine: { cores: availableParallelism(), arch: process.arch },
  example,
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
