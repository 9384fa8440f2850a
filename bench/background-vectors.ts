/**
 * Writes model/background.safetensors, the vectors of the texts in model/background.json, so that a start need not embed them:
 * `npm run model:background`. test/retrieval-model.test.ts holds the file to the texts.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quantise } from '../brand/embedding/int8-rows.ts';
import { BUNDLED_MODEL } from '../brand/embedding/retrieval-model.ts';
import { loadStaticEmbedder } from '../brand/embedding/static-embedder.ts';

const texts: string[] = JSON.parse(await readFile(join(BUNDLED_MODEL, 'background.json'), 'utf8'));
const embedder = await loadStaticEmbedder(BUNDLED_MODEL);
const { values, count, dims } = quantise(await embedder.embed(texts), embedder.dims);
const header = Buffer.from(
  JSON.stringify({ texts: { dtype: 'I8', shape: [count, dims], data_offsets: [0, values.length] } }),
);
const length = Buffer.alloc(8);
length.writeBigUInt64LE(BigInt(header.length));
await writeFile(
  join(BUNDLED_MODEL, 'background.safetensors'),
  Buffer.concat([length, header, Buffer.from(values.buffer)]),
);
