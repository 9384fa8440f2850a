/**
 * Writes what follows from other files of model/, so that a start need not work it out: `npm run bench -- model`.
 * tokenizer.txt is tokenizer.json without the JSON around its words, background.safetensors the vectors of the texts in
 * background.json. test/retrieval/retrieval-model.test.ts and test/retrieval/wordpiece.test.ts hold the files to their sources.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quantise } from '../../brand/retrieval/int8-rows.ts';
import { BUNDLED_MODEL } from '../../brand/retrieval/parameters.ts';
import { loadStaticEmbedder } from '../../brand/retrieval/static-embedder.ts';

const fileOf = (name: string) => join(BUNDLED_MODEL, name);
const { model, ...others } = JSON.parse(await readFile(fileOf('tokenizer.json'), 'utf8'));
const words: string[] = [];
// No text that is read has a piece with the end of a line.
for (const [word, id] of Object.entries<number>(model.vocab)) words[id] = word.includes('\n') ? '' : word;
const first = JSON.stringify({ ...others, model: { ...model, vocab: {} } });
await writeFile(fileOf('tokenizer.txt'), [first, ...words].join('\n'));

const texts: string[] = JSON.parse(await readFile(fileOf('background.json'), 'utf8'));
const embedder = await loadStaticEmbedder(BUNDLED_MODEL);
const { values, count, dims } = quantise(await embedder.embed(texts), embedder.dims);
const header = Buffer.from(
  JSON.stringify({ texts: { dtype: 'I8', shape: [count, dims], data_offsets: [0, values.length] } }),
);
const length = Buffer.alloc(8);
length.writeBigUInt64LE(BigInt(header.length));
await writeFile(
  fileOf('background.safetensors'),
  Buffer.concat([length, header, Buffer.from(values.buffer)]),
);
