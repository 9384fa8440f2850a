/**
 * Sets MCP servers that a developer could take instead beside this one, over stdio, on the example's claims and questions:
 * `npm run bench -- versus [--json FILE]`. `agents-docs` is installed from PyPI into a temporary folder; where that fails its
 * row says so.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as z from 'zod';
import { loadProfile } from '../../brand/profile/profile.ts';
import { searchText } from '../../brand/retrieval/search-text.ts';
import { type Versus, versusTable } from '../../docs/versus-table.ts';
import { mean, recallAt } from '../../owner/measure/measures.ts';
import { ROOT } from '../../test/support.ts';
import { rankingFigures } from '../retrieval/asked.ts';
import { readQuestions } from '../retrieval/example-questions.ts';
import { median } from '../rounds.ts';

interface Peer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly call: (query: string) => { readonly name: string; readonly arguments: Record<string, unknown> };
  /** Lines that its user writes. */
  readonly lines: number;
}

const { values: options } = parseArgs({ options: { json: { type: 'string' } } });
const BRAND = `${ROOT}examples/brand.json`;
const HERE = `${ROOT}bench/versus/`;
const folder = mkdtempSync(join(tmpdir(), 'aval-versus-'));
const questions = await readQuestions(`${ROOT}examples/questions.jsonl`);
const { profile } = await loadProfile(BRAND);
const linesOf = (file: string) =>
  readFileSync(HERE + file, 'utf8')
    .trim()
    .split('\n').length;

const notRun = ['multilingual-e5-small through transformers.js: not run, no model files reachable'];
try {
  const rows: Versus['rows'] = [];
  for (const peer of [...ours(), ...sdkServers(), ...agentsDocs()]) {
    process.stderr.write(`${peer.name}\n`);
    rows.push(await judge(peer));
  }
  const machine = `${availableParallelism()} cores, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
  const date = new Date().toISOString().slice(0, 10);
  const versus = { date, machine, notRun, rows };
  process.stdout.write(`${versusTable(versus)}\n`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(versus, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function ours(): Peer[] {
  const one = (name: string, encoder: string): Peer => ({
    name,
    command: process.execPath,
    args: [`${ROOT}dist/server/cli.js`, 'stdio'],
    env: { ENCODER: encoder, BRAND_FILE: BRAND, DATA_DIR: join(folder, encoder), LIMIT_DEFAULT: '100000/60' },
    call: query => ({ name: 'ask_brand', arguments: { query } }),
    lines: 0,
  });
  return [one('Aval, table and encoder', 'on'), one('Aval, table alone', 'off')];
}

function sdkServers(): Peer[] {
  const one = (name: string, file: string): Peer => ({
    name,
    command: process.execPath,
    args: [HERE + file, BRAND],
    call: query => ({ name: 'search', arguments: { query } }),
    lines: linesOf(file),
  });
  return [one('SDK 1.32 with MiniSearch 7', 'minisearch.js'), one('SDK 1.32 with Orama 3', 'orama.js')];
}

/** A claim a sheet, which is what it searches. */
function agentsDocs(): Peer[] {
  const python = join(folder, 'venv', 'bin', 'python');
  const docs = join(folder, 'docs');
  const steps = [
    ['python3', '-m', 'venv', join(folder, 'venv')],
    [python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'agents-docs==0.45.0'],
  ];
  const failed = steps.find(([command = '', ...args]) => spawnSync(command, args, { timeout: 180_000 }).status !== 0);
  if (failed) {
    notRun.push('agents-docs 0.45.0: not run, it could not be installed');
    return [];
  }
  mkdirSync(join(docs, 'custom'), { recursive: true });
  for (const claim of profile.claims) {
    writeFileSync(join(docs, 'custom', `${claim.claim_id}.md`), `# ${claim.claim_id}\n\n${searchText(claim).text}\n`);
  }
  return [
    {
      name: 'agents-docs 0.45 (PyPI)',
      command: python,
      args: ['-m', 'agents_docs', 'serve'],
      env: { AGENTS_DOCS_PATH: docs, HOME: folder },
      call: query => ({ name: 'search_docs', arguments: { query, category: 'custom', top_k: 5 } }),
      lines: 0,
    },
  ];
}

async function judge(peer: Peer): Promise<Versus['rows'][number]> {
  const began = performance.now();
  const env = { PATH: process.env.PATH ?? '', HOME: folder, ...peer.env };
  const transport = new StdioClientTransport({ ...peer, args: [...peer.args], env, stderr: 'ignore' });
  const client = new Client({ name: 'versus', version: '1.0.0' });
  try {
    await client.connect(transport);
    const ask = async (query: string) => idsIn(await client.callTool(peer.call(query)));
    await ask('precio');
    const startMs = performance.now() - began;
    const times: number[] = [];
    const found: { ranking: string[]; relevant: Set<string> }[] = [];
    for (const { query, relevant } of questions) {
      const start = performance.now();
      const ranking = await ask(query);
      times.push(performance.now() - start);
      found.push({ ranking, relevant: new Set(relevant) });
    }
    const answerable = found.filter(({ relevant }) => relevant.size > 0);
    const others = found.filter(({ relevant }) => relevant.size === 0);
    const empty = (some: typeof found) => mean(some.map(({ ranking }) => Number(ranking.length === 0)));
    return {
      name: peer.name,
      recall1: rankingFigures(answerable).recall1,
      recall5: mean(answerable.map(({ ranking, relevant }) => recallAt(ranking, relevant, 5))),
      ...{ emptyRight: empty(others), emptyWrong: empty(answerable) },
      ...{ milliseconds: median(times), startMs, megabytes: residentOf(transport.pid), lines: peer.lines },
    };
  } finally {
    await client.close();
  }
}

/** The claims that a result names, best first: as members of its JSON, or as the sheets that its text cites. */
function idsIn(result: object): string[] {
  const { content } = z.looseObject({ content: z.array(z.looseObject({ text: z.string() })) }).parse(result);
  const ids = content[0]?.text.matchAll(/"claim_id":"(clm-[\w-]+)"|\b(clm-[\w-]+)\.md/g) ?? [];
  return [...new Set([...ids].map(([, member, sheet]) => member ?? sheet ?? ''))];
}

function residentOf(pid: number | null): number {
  const kilobytes = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
