import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../server/config/config.ts';
import { Server } from '../../server/run/server.ts';
import { callTool } from '../mcp/mcp-messages.ts';
import { dataFolder } from '../support/example.ts';
import { ROOT } from '../support/folder.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { bodyOf, post } from '../support/support.ts';

/** Runs the server, sends it each walk of ARCHITECTURE.md, and prints which functions ran meanwhile (V8's precise coverage). */
interface Span {
  readonly file: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** What ran since the last call. */
async function spans(): Promise<Span[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith('file:') && !url.includes('node_modules'))
    .flatMap(({ url, functions }) => {
      const file = fileURLToPath(url).slice(ROOT.length);
      return functions.flatMap(({ functionName: name, ranges: [range] }) =>
        range ? [{ file, name, start: range.startOffset, end: range.endOffset, count: range.count }] : [],
      );
    });
}

const config = readConfig({ PORT: '0', DATA_DIR: dataFolder() });
let confirmed = () => {};
const server = new Server(config, (_level, event, fields) => {
  if (event === 'mail' && fields?.part === 'confirm') confirmed();
});
const url = await server.start();
const made = await spans();

/** A submission, and the confirmation that leaves after its answer. */
async function untilConfirmed(submit: () => Promise<void>): Promise<void> {
  const confirmation = new Promise<void>(resolve => {
    confirmed = resolve;
  });
  await submit();
  await confirmation;
}

const WALKS: Readonly<Record<string, () => Promise<unknown>>> = {
  'GET /ask': async () =>
    bodyOf(await fetch(`${url}/ask?q=${encodeURIComponent('¿Cuánto dura un diagnóstico?')}`)),
  'POST /api/v1/contact': () =>
    untilConfirmed(async () => {
      const answer = await bodyOf(await post(`${url}/api/v1/contact`, DIAGNOSTIC));
      if (!answer.ok) throw new Error(JSON.stringify(answer));
    }),
  'tools/call request_diagnostic': () =>
    untilConfirmed(async () => {
      const answer = await bodyOf(await post(`${url}/mcp`, callTool('request_diagnostic', DIAGNOSTIC)));
      if (answer.error || answer.result?.isError) throw new Error(JSON.stringify(answer));
    }),
  SIGHUP: () => server.reload(),
};

const ran: Record<string, string[]> = {};
for (const [walk, send] of Object.entries(WALKS)) {
  await spans();
  await send();
  const called = (await spans()).filter(({ count }) => count > 0);
  // What a function made runs as a part of it.
  const owners = made.filter(owner =>
    called.some(({ file, start, end }) => file === owner.file && start >= owner.start && end <= owner.end),
  );
  ran[walk] = [...new Set([...called, ...owners].map(({ file, name }) => `${name} (${file})`))];
}
await server.close();
process.stdout.write(JSON.stringify(ran));
