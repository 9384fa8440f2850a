import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { childEnvironment, nodeArguments } from '../support/child.ts';
import { ROOT, temporaryFolder } from '../support/folder.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { startApp } from '../support/support.ts';
import { type Connected, JAVASCRIPT, type Target } from './clients/javascript.ts';
import { PROGRAM } from './clients/openapi-program.ts';

/**
 * `npm run check:clients`: the real clients, installed from their registries into a temporary folder, connect, list, ask,
 * submit three times (three submissions), meet a fault and a limit. It prints who could do what, over HTTP and over stdio.
 */
const STEPS = ['connect', 'list', 'ask', 'submit', 'fault', 'limit'] as const;
type Report = Readonly<Partial<Record<string, string>>>;

/** Clients in Python: the script, its packages, and what it is told besides the address. */
const PYTHON = {
  'mcp 2.3.0': ['mcp_sdk_v2.py', 2, { mode: 'legacy' }],
  'mcp 2.3.0, auto': ['mcp_sdk_v2.py', 2, { mode: 'auto' }],
  'mcp 1.30.0': ['mcp_sdk_v1.py', 1, {}],
  'fastmcp 4.1.2': ['fastmcp_client.py', 2, {}],
  'langchain-mcp-adapters 0.3.2': ['langchain_tools.py', 1, {}],
  'openai-agents 0.24.0': ['openai_agents.py', 1, {}],
  'a2a-sdk 1.3.0': ['a2a_sdk.py', 2, {}],
  'openapi-python-client 0.29.1': ['openapi_python.py', 2, {}],
} as const;

/**
 * What a client has no word for. A2A and OpenAPI have no stdio, A2A takes no submission, each Inspector is a new process.
 * Clients on the Python SDK 1.x end their session at any HTTP 429, which the contract demands, and show no body; nor does that of A2A.
 */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  '@a2a-js/sdk 1.3.0': ['stdio', 'submit', 'fault'],
  'a2a-sdk 1.3.0': ['stdio', 'submit', 'fault', 'limit'],
  'mcp 1.30.0': ['HTTP limit'],
  'langchain-mcp-adapters 0.3.2': ['HTTP limit'],
  'openai-agents 0.24.0': ['HTTP limit'],
  'openapi-python-client 0.29.1': ['stdio'],
  'openapi-typescript 7.13.0': ['stdio', 'list'],
  '@modelcontextprotocol/inspector 2.12.0': ['stdio limit'],
};

const folder = temporaryFolder();
const python = (packages: 1 | 2) => join(folder, `python-${packages}`, 'bin', 'python');
const run = promisify(execFile);
const INSTALL = { timeout: 240_000, killSignal: 'SIGKILL' } as const;
/** A client that neither answers nor ends is a fault, not a wait. */
const ANSWER = { timeout: 300_000, killSignal: 'SIGKILL' } as const;
const rows: string[] = [];

/** Clients that come together: one folder of npm, and two environments of Python, since they stand on two SDKs. */
type Installation = 'npm' | 1 | 2;

/** Why the clients of an installation are missing, in one line. */
const missing = new Map<Installation, string>();

before(async () => {
  await Promise.all([
    installing('npm', npmClients),
    ...([1, 2] as const).map(n => installing(n, () => pythonClients(n))),
  ]);
});

async function installing(installation: Installation, install: () => Promise<unknown>): Promise<void> {
  await install().catch(({ killed, stderr, message }) => {
    const last = String(stderr || message)
      .trim()
      .split('\n')
      .at(-1);
    missing.set(
      installation,
      killed ? `not installed within ${INSTALL.timeout / 1000} s` : `not installed: ${last}`,
    );
  });
}

async function npmClients(): Promise<void> {
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(`${ROOT}test/mcp/clients/${file}`, join(folder, file));
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { ...INSTALL, cwd: folder });
}

async function pythonClients(packages: 1 | 2): Promise<void> {
  await run('python3', ['-m', 'venv', join(folder, `python-${packages}`)], INSTALL);
  const options = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-compile', '--retries', '1'];
  const list = `${ROOT}test/mcp/clients/requirements-${packages}.txt`;
  await run(python(packages), ['-m', 'pip', 'install', ...options, '-r', list], INSTALL);
}

after(() => {
  process.stdout.write(
    `\n| Client | Way | ${STEPS.join(' | ')} |\n| --- | --- | ${STEPS.map(() => '---').join(' | ')} |\n`,
  );
  for (const row of rows) process.stdout.write(`${row}\n`);
});

const LIMITED = { LIMITS: 'default=40/3600' };

/** A server for one client alone: it is left at its limit. */
async function targetOver(t: TestContext, way: string): Promise<Target> {
  if (way === 'HTTP') return { url: `${(await startApp(t, { env: LIMITED })).url}/mcp` };
  return {
    command: [process.execPath, ...nodeArguments('server/cli.ts', 'stdio')],
    env: childEnvironment(LIMITED),
  };
}

const isWithout = (name: string, way: string) => (step: string) =>
  [step, `${way} ${step}`].some(entry => WITHOUT[name]?.includes(entry));

function assertReport(name: string, way: string, report: Report): void {
  const without = isWithout(name, way);
  const cells = STEPS.map(step => (without(step) ? '' : (report[step] ?? 'not reached')));
  rows.push(`| ${name} | ${way} | ${cells.map(cell => cell.replaceAll(/[\n|]/g, ' ')).join(' | ')} |`);
  for (const cell of cells)
    assert.ok(['', 'yes'].includes(cell), `${name} over ${way}: ${JSON.stringify(report)}`);
}

async function inPython(name: keyof typeof PYTHON, target: object): Promise<Report> {
  const [script, packages, told] = PYTHON[name];
  const limit = 'url' in target && (WITHOUT[name] ?? []).some(step => step.endsWith('limit')) ? 0 : 40;
  const argument = JSON.stringify({ ...target, ...told, limit, folder });
  const { stdout } = await run(python(packages), [`${ROOT}test/mcp/clients/${script}`, argument], {
    ...ANSWER,
    cwd: folder,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** The same steps as test/mcp/clients/steps.py. */
async function walk(
  connect: () => Promise<Connected>,
  isWithout: (step: string) => boolean,
): Promise<Report> {
  const report: Record<string, string> = {};
  const step = async (name: string, work: () => Promise<boolean>) => {
    if (isWithout(name)) return;
    report[name] = await work().then(
      good => (good ? 'yes' : 'no'),
      error => String(error).slice(0, 300),
    );
  };
  const client = await connect().catch(String);
  if (typeof client === 'string') return { connect: client };
  report.connect = 'yes';
  const { names, call, close } = client;
  const seen = (name: string, args: object) =>
    call(name, { ...args }).catch(error => String(error.message ?? error));
  const ask = { query: '¿Cuánto cuesta el diagnóstico?' };
  await step('list', async () => (await names()).length === 3);
  await step('ask', async () => (await call('ask_brand', ask)).includes('clm-diagnostic-price'));
  await step('submit', async () => {
    const texts = [];
    for (let time = 0; time < 3; time += 1) texts.push(await call('request_diagnostic', DIAGNOSTIC));
    return new Set(texts.map(text => /[A-Z]{4}-\d{4}/.exec(text)?.[0])).size === 3;
  });
  await step('fault', async () =>
    (await seen('request_diagnostic', { ...DIAGNOSTIC, email: 'nobody' })).includes(
      'email: must be a valid email address',
    ),
  );
  await step('limit', async () => {
    for (let time = 0; time < 41; time += 1)
      if (/Wait \d+ seconds/.test(await seen('ask_brand', ask))) return true;
    return false;
  });
  await close();
  return report;
}

/** A client that cannot be installed is a line of the table, and its test is skipped with the same words. */
function isMissing(t: TestContext, name: string, installation: Installation): boolean {
  const reason = missing.get(installation);
  if (reason === undefined) return false;
  rows.push(`| ${name} | ${reason.replaceAll('|', ' ')} |`);
  t.skip(reason);
  return true;
}

const isBesides = (name: string) => /^@ai-sdk|inspector|sdk 1\.1\d/.test(name);

const waysOf = (name: string) => (WITHOUT[name]?.includes('stdio') ? ['HTTP'] : ['HTTP', 'stdio']);

describe('a client connects, lists, asks, submits, and reads a fault and a limit', {
  timeout: 900_000,
}, () => {
  for (const [name, connect] of Object.entries(JAVASCRIPT))
    for (const way of waysOf(name))
      it(`${name} over ${way}`, { timeout: 400_000 }, async t => {
        if (isBesides(name) && isMissing(t, `${name} | ${way}`, 'npm')) return;
        const target = await targetOver(t, way);
        const names = await walk(() => connect(target, folder), isWithout(name, way));
        assertReport(name, way, name.startsWith('@a2a') ? { ...names, list: 'yes' } : names);
      });

  for (const name of Object.keys(PYTHON) as (keyof typeof PYTHON)[])
    for (const way of name.startsWith('openapi') ? [] : waysOf(name))
      it(`${name} over ${way}`, async t => {
        if (isMissing(t, `${name} | ${way}`, PYTHON[name][1])) return;
        assertReport(name, way, await inPython(name, await targetOver(t, way)));
      });

  it('openapi-python-client: generated, imported, called', async t => {
    if (isMissing(t, 'openapi-python-client 0.29.1 | HTTP', 2)) return;
    const target = await targetOver(t, 'HTTP');
    assert.ok('url' in target);
    const generator = join(folder, 'python-2', 'bin', 'openapi-python-client');
    const address = new URL('/openapi.json', target.url).href;
    const output = ['--output-path', join(folder, 'generated'), '--meta', 'none'];
    await run(generator, ['generate', '--url', address, ...output]);
    const name = 'openapi-python-client 0.29.1';
    assertReport(name, 'HTTP', await inPython(name, target));
  });

  it('openapi-typescript: generated, compiled in strict mode, called with openapi-fetch', async t => {
    if (isMissing(t, 'openapi-typescript 7.13.0 | HTTP', 'npm')) return;
    const target = await targetOver(t, 'HTTP');
    assert.ok('url' in target);
    const bin = (name: string) => join(folder, 'node_modules', '.bin', name);
    const address = new URL('/openapi.json', target.url).href;
    await run(bin('openapi-typescript'), [address, '-o', join(folder, 'schema.ts')]);
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    const strict = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--skipLibCheck',
    ];
    const modern = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
    await run(bin('tsc'), [...strict, ...modern, 'program.ts', 'schema.ts'], { cwd: folder }).catch(error => {
      throw new Error(error.stdout);
    });
    const { stdout } = await run(process.execPath, ['program.js', new URL('/', target.url).href], {
      cwd: folder,
    });
    assertReport('openapi-typescript 7.13.0', 'HTTP', JSON.parse(stdout));
  });

  it('the schemas of the published profile and of openapi.json are read by jsonschema of Python', async t => {
    if (isMissing(t, 'jsonschema 4.26.0 | HTTP', 2)) return;
    const { url } = await startApp(t);
    await run(python(2), [`${ROOT}test/mcp/clients/json_schemas.py`, url]);
  });
});
