/**
 * Counts what answers and the list of tools cost an agent, in tokens of o200k (GPT-4o and later): `npm run bench -- tokens`.
 * It asks two servers over MCP: this one, and with `--before DIR` that of an older checkout. `--json FILE` keeps the figures.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import * as z from 'zod';
import { type Tokens, tokensTable } from '../../docs/tokens-table.ts';
import { ROOT } from '../../test/support.ts';
import { readQuestions } from './example-questions.ts';

const { values: options } = parseArgs({ options: { before: { type: 'string' }, json: { type: 'string' } } });

const Result = z.looseObject({ content: z.array(z.looseObject({ text: z.string() })).optional() });

const NONSENSE = ['asdfgh qwerty', 'zxcvbnm', 'sdkfjh skdjfh', 'de la', 'the', '...', 'x', '日本語', 'qwertyuiop', 'a'];

/** Fifty of the example's questions, answerable or not, evenly drawn. */
const all = await readQuestions(`${ROOT}examples/questions.jsonl`);
const questions = Array.from({ length: 50 }, (_, at) => all[Math.floor((at * all.length) / 50)]!);

const tokens: Tokens = {
  date: new Date().toISOString().slice(0, 10),
  before: options.before === undefined ? undefined : await measure(options.before),
  now: await measure(ROOT),
};
process.stdout.write(`${tokensTable(tokens)}\n`);
if (options.json) await writeFile(options.json, `${JSON.stringify(tokens, null, 2)}\n`);

async function measure(checkout: string): Promise<Tokens['now']> {
  const directory = await mkdtemp(join(tmpdir(), 'aval-tokens-'));
  const env = { ...process.env, PORT: '0', DATA_DIR: directory, LIMIT_DEFAULT: '100000/60', LOG_FORMAT: 'json' };
  const server = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], { cwd: checkout, env });
  const ended = new Promise(resolve => server.once('exit', resolve));
  try {
    const url = await urlOf(server.stderr);
    const ask = (query: string) => call(url, 'tools/call', { name: 'ask_brand', arguments: { query } });
    const answerable = await each(
      questions.filter(({ relevant }) => relevant.length > 0),
      ({ query }) => ask(query),
    );
    const unanswerable = await each(
      questions.filter(({ relevant }) => relevant.length === 0),
      ({ query }) => ask(query),
    );
    const nonsense = await each(NONSENSE, ask);
    return {
      list: tokensIn(JSON.stringify(await call(url, 'tools/list', {}))),
      ...{ answerable: spread(answerable), unanswerable: spread(unanswerable), nonsense: spread(nonsense) },
    };
  } finally {
    server.kill();
    await ended;
    await rm(directory, { recursive: true });
  }
}

/** An agent reads the text of a result; the structured content says the same to programs. */
async function call(url: string, method: string, params: object): Promise<z.infer<typeof Result>> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body });
  return z.object({ result: Result }).parse(await response.json()).result;
}

async function each<Item>(items: readonly Item[], ask: (item: Item) => ReturnType<typeof call>): Promise<number[]> {
  const counts: number[] = [];
  for (const item of items) counts.push(tokensIn((await ask(item)).content?.[0]?.text ?? ''));
  return counts;
}

function spread(counts: readonly number[]) {
  const sorted = [...counts].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { questions: counts.length, median: at(0.5), p95: at(0.95) };
}

function tokensIn(text: string): number {
  return encode(text).length;
}

async function urlOf(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const { event, msg, url } = JSON.parse(line);
    if ((event ?? msg) === 'listening' || url !== undefined) {
      stderr.resume();
      return url;
    }
  }
  throw new Error('the server did not start');
}
