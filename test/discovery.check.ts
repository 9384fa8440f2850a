import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { digestFindings, documentFindings, type Finding, schemaFindings } from './discovery-findings.ts';
import { pythonFindings } from './discovery-python.ts';
import { FULL } from './discovery-support.ts';
import { temporaryFolder } from './folder.ts';
import { ROOT } from './support.ts';

/**
 * `npm run check:documents`: the built server, and all that it publishes: every link followed, every digest recomputed,
 * every schema held, and the tools of others asked. Exit code 1 when anything is wrong.
 */
const folder = temporaryFolder();
const server = spawn(process.execPath, [`${ROOT}dist/server/main.js`], {
  env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, LIMIT_DEFAULT: '100000/60', ...FULL },
  stdio: ['ignore', 'ignore', 'pipe'],
});
try {
  const url = await addressOf(server);
  server.stderr.resume();
  const findings = [
    ...(await documentFindings(url)),
    ...(await digestFindings(url)),
    ...(await schemaFindings(url)),
    ...(await python(url)),
  ];
  for (const finding of findings) print(finding);
  const faults = findings.filter(({ fault }) => fault !== undefined).length;
  process.stdout.write(`${findings.length} checks, ${faults} faults\n`);
  process.exitCode = faults > 0 ? 1 : 0;
} finally {
  const stopped = once(server, 'close');
  server.kill();
  await stopped;
}

async function addressOf({ stderr }: ChildProcess): Promise<string> {
  if (!stderr) throw new Error('the log of the server cannot be read');
  for await (const line of createInterface({ input: stderr })) {
    const { event, url } = JSON.parse(line);
    if (event === 'listening') return url;
  }
  throw new Error('the server did not start');
}

async function python(url: string): Promise<Finding[]> {
  const found = await pythonFindings(url);
  return typeof found === 'string' ? [{ what: 'tools in Python', fault: undefined, note: `skipped: ${found}` }] : found;
}

function print({ what, fault, note = '' }: Finding): void {
  process.stdout.write(`${fault === undefined ? 'ok   ' : 'FAULT'}  ${what.padEnd(60)}  ${fault ?? note}\n`);
}
