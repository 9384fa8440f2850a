/**
 * Counts what an agent reads, in tokens of o200k (GPT-4o and later), over all of the example's questions: `npm run bench --
 * tokens`. `--json FILE` keeps the figures. Three servers are asked over MCP: with no floor, as it is, and without the encoder.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import * as z from 'zod';
import { type Tokens, tokensTable } from '../../docs/tokens-table.ts';
import { createServer, type Settings } from '../../server/library/index.ts';
import { DIAGNOSTIC } from '../../test/submission-support.ts';
import { ROOT } from '../../test/support.ts';
import { readQuestions } from './example-questions.ts';

const { values: options } = parseArgs({ options: { json: { type: 'string' } } });

const Content = z.array(z.looseObject({ text: z.string() }));
const Response = z.looseObject({ result: z.looseObject({ content: Content.default([]) }) });

const OFF_TOPIC = [
  ...['gracias', 'hola', 'ok', '...', 'asdfgh qwerty', 'capital of France', 'tell me a joke', 'cuéntame un chiste'],
  ...['translate this to French', '日本語'],
];

const questions = await readQuestions(`${ROOT}examples/questions.jsonl`);
const tokens: Tokens = {
  date: new Date().toISOString().slice(0, 10),
  modes: {
    'no floor': await measure({ ANSWER_FLOOR: '0' }),
    now: await measure({}),
    'now, table alone': await measure({ ENCODER: 'off' }),
  },
};
process.stdout.write(`${tokensTable(tokens)}\n`);
if (options.json) await writeFile(options.json, `${JSON.stringify(tokens, null, 2)}\n`);
process.exit(0);

async function measure(settings: Settings): Promise<Tokens['modes'][string]> {
  const directory = await mkdtemp(join(tmpdir(), 'aval-tokens-'));
  const address = { BASE_URL: 'http://127.0.0.1', HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory };
  const quiet = { log: () => {} };
  const aval = await createServer({ ...address, LIMIT_DEFAULT: '100000/60', ...settings }, quiet);
  try {
    const url = await aval.start();
    const ask = async (query: string) =>
      read(await send(url, 'tools/call', { name: 'ask_brand', arguments: { query } }));
    const answerable = await each(
      questions.filter(({ relevant }) => relevant.length > 0).map(({ query }) => query),
      ask,
    );
    const unanswerable = await each(
      questions.filter(({ relevant }) => relevant.length === 0).map(({ query }) => query),
      ask,
    );
    const [faulty, sent] = [{ name: 'Ana' }, DIAGNOSTIC].map(fields => ({
      name: 'request_diagnostic',
      arguments: fields,
    }));
    return {
      list: count(JSON.stringify(await send(url, 'tools/list', {}))),
      answerable: spread(answerable),
      weak: spread([...answerable, ...unanswerable].filter(texts => texts.length > 1)),
      unanswerable: spread(unanswerable),
      offTopic: spread(await each(OFF_TOPIC, ask)),
      refusal: spread([read(await send(url, 'tools/call', faulty ?? {}))]),
      submission: spread([read(await send(url, 'tools/call', sent ?? {}))]),
    };
  } finally {
    await aval.close();
    await rm(directory, { recursive: true });
  }
}

async function send(url: string, method: string, params: object): Promise<z.infer<typeof Response>['result']> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return Response.parse(await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).json()).result;
}

/** The texts of a result, which a model reads; the structured content says the same to programs. */
function read({ content }: z.infer<typeof Response>['result']): string[] {
  return content.map(({ text }) => text);
}

async function each(queries: readonly string[], ask: (query: string) => Promise<string[]>): Promise<string[][]> {
  const all: string[][] = [];
  for (const query of queries) all.push(await ask(query));
  return all;
}

function spread(results: readonly (readonly string[])[]) {
  const sorted = results.map(texts => count(texts.join('\n'))).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { results: sorted.length, median: at(0.5), p95: at(0.95) };
}

function count(text: string): number {
  return encode(text).length;
}
