/**
 * Writes what follows from other files of model/, so that a start need not work it out: `npm run bench -- model`.
 * tokenizer.txt is tokenizer.json without the JSON around its words, background.safetensors the vectors of the texts in
 * background.json. test/retrieval-model.test.ts and test/wordpiece.test.ts hold the files to their sources.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quantise } from '../../brand/retrieval/int8-rows.ts';
import { BUNDLED_MODEL } from '../../brand/retrieval/retrieval-model.ts';
import { loadStaticEmbedder } from '../../brand/retrieval/static-embedder.ts';
import { writeWordList } from '../../brand/retrieval/tokenizer.ts';

const fileOf = (name: string) => join(BUNDLED_MODEL, name);
await writeFile(fileOf('tokenizer.txt'), writeWordList(await readFile(fileOf('tokenizer.json'))));

const texts: string[] = JSON.parse(await readFile(fileOf('background.json'), 'utf8'));
const embedder = await loadStaticEmbedder(BUNDLED_MODEL);
const { values, count, dims } = quantise(await embedder.embed(texts), embedder.dims);
const header = Buffer.from(
  JSON.stringify({ texts: { dtype: 'I8', shape: [count, dims], data_offsets: [0, values.length] } }),
);
const length = Buffer.alloc(8);
length.writeBigUInt64LE(BigInt(header.length));
await writeFile(fileOf('background.safetensors'), Buffer.concat([length, header, Buffer.from(values.buffer)]));
