/**
 * Compares retrieval with what a JavaScript developer would pick instead, and measures it on 20,000 claims:
 * `npm run bench -- retrieval [--claims N] [--json FILE]`. Markdown on stdout, progress on stderr.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { BUNDLED_MODEL, loadRetrievalModel } from '../../brand/embedding/retrieval-model.ts';
import { loadStaticEmbedder } from '../../brand/embedding/static-embedder.ts';
import { type RetrievalBench, retrievalTables } from '../../docs/retrieval-table.ts';
import { compare } from './compare.ts';
import { measureScale } from './scale.ts';

const { values: options } = parseArgs({
  options: { claims: { type: 'string', default: '20000' }, json: { type: 'string' } },
});
const model = await loadRetrievalModel(BUNDLED_MODEL, await loadStaticEmbedder(BUNDLED_MODEL));
const bench: RetrievalBench = {
  date: new Date().toISOString().slice(0, 10),
  compared: await compare(model),
  scale: await measureScale(model, Number(options.claims)),
};
process.stdout.write(`${retrievalTables(bench)}\n`);
if (options.json) await writeFile(options.json, `${JSON.stringify(bench, null, 2)}\n`);
