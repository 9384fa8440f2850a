/**
 * Compares retrieval with what a JavaScript developer would pick instead, and measures it on many claims, with the encoder and without:
 * `npm run bench -- retrieval [--claims N,N] [--no-scale] [--json FILE]`. Markdown on stdout, progress on stderr.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { loadModel } from '../../brand/retrieval/load-embedder.ts';
import { type RetrievalBench, retrievalTables } from '../../docs/retrieval-table.ts';
import { readConfig } from '../../server/config/config.ts';
import { compare } from './compare.ts';
import { measureScale } from './scale.ts';

const { values: options } = parseArgs({
  options: {
    claims: { type: 'string', default: '2000,20000' },
    'no-scale': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const load = (encoder: string) => loadModel(readConfig({ ...process.env, ENCODER: encoder }).embedding);
const models = { both: await load('on'), alone: await load('off') };
const scale: RetrievalBench['scale'] = [];
for (const claims of options['no-scale'] ? [] : options.claims.split(',').map(Number)) {
  for (const model of [models.alone, models.both]) scale.push(...(await measureScale(model, claims)));
}
const bench: RetrievalBench = {
  date: new Date().toISOString().slice(0, 10),
  compared: await compare(models),
  scale,
};
process.stdout.write(`${retrievalTables(bench)}\n`);
if (options.json) await writeFile(options.json, `${JSON.stringify(bench, null, 2)}\n`);
