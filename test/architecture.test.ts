import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { SERVICE } from '../tools/service-facts.ts';
import { ROOT } from './support.ts';

const FOLDERS = ['brand', 'tools', 'rest', 'discovery', 'owner', 'server'];

/** The reading order, room by room: a file imports from its own room and from those before it. */
const LINE = [
  ...[
    'brand/profile/',
    'brand/trust/',
    'brand/embedding/tokens/',
    'brand/encoder/',
    'brand/embedding/',
    'brand/retrieval/scores/',
    'brand/retrieval/',
  ],
  ...['tools/language/', 'tools/actions/', 'tools/'],
  ...['rest/', 'rest/forms/'],
  ...['discovery/documents/', 'discovery/look/', 'discovery/openapi/', 'discovery/pages/', 'discovery/'],
  ...[
    'owner/terminal/',
    'owner/guards/',
    'owner/check/',
    'owner/exchange/',
    'owner/merge/',
    'owner/drafts/readers/',
    'owner/drafts/',
    'owner/measure/',
    'owner/studio/words/',
    'owner/studio/document/',
    'owner/studio/',
    'owner/importing/',
    'owner/signing/',
    'owner/commands/',
  ],
  ...['server/config/', 'server/database/', 'server/mail/', 'server/outbox/store/', 'server/outbox/', 'server/limits/'],
  ...['server/brand/', 'server/admin/', 'server/connections/', 'server/http/'],
  ...['server/mcp/json-rpc/', 'server/mcp/', 'server/a2a/', 'server/mcp/stdio/'],
  ...['server/app.ts', 'server/service.ts', 'server/start.ts', 'server/tracing.ts', 'server/run.ts'],
  ...['server/library/', 'server/cli/submissions/', 'server/cli/operate/', 'server/cli/'],
  ...['server/main.ts', 'server/cli.ts'],
];

/** What somebody reads who wants to know what becomes of a question or of a tools/call. */
const READING_LINE = ['brand/retrieval/', 'tools/', 'rest/', 'server/http/', 'server/mcp/'];

/** Lines that can be read in one sitting, and those of any other room. */
const [MOST_IN_LINE, MOST_IN_ROOM] = [2400, 950];

/** Place of a file's room in the line. */
function placeOf(path: string): number {
  const isLoose = (room: string) => room.endsWith('/') && !path.slice(room.length).includes('/');
  return LINE.findIndex(room => path === room || (path.startsWith(room) && isLoose(room)));
}

const IMPORT = /\b(?:from|import)\s*\(?\s*'((?:\.|#package)[^']*)'/g;

const FILES = FOLDERS.flatMap(folder =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => ({ path: `${folder}/${name}`, text: readFileSync(`${ROOT}${folder}/${name}`, 'utf8') })),
);

describe('the code', () => {
  it('depends in one direction, from room to room: brand, tools, rest, discovery, owner, server', () => {
    assert.ok(FILES.length > 40);
    for (const { path, text } of FILES) {
      assert.notEqual(placeOf(path), -1, `${path}: in no room`);
      for (const [, target = ''] of text.matchAll(IMPORT)) {
        if (target.startsWith('#package/')) continue;
        const imported = new URL(target, `file:///${path}`).pathname.slice(1);
        assert.notEqual(placeOf(imported), -1, `${path}: ${target}`);
        assert.ok(placeOf(imported) <= placeOf(path), `${path}: ${target}`);
      }
    }
  });

  it('keeps the desk of whoever writes a profile away from the service: only commands import it', () => {
    for (const { path, text } of FILES) {
      if (!/from '[./]+owner\/|import\('[./]+owner\//.test(text)) continue;
      assert.match(path, /^(owner\/|server\/cli)/);
    }
  });

  it('can be read in one sitting: the line from question to answer, and every other room by itself', () => {
    const linesIn = (room: string) =>
      FILES.filter(({ path }) => LINE[placeOf(path)] === room).reduce(
        (sum, { text }) => sum + text.split('\n').length - 1,
        0,
      );
    const line = READING_LINE.reduce((sum, room) => sum + linesIn(room), 0);
    assert.ok(line > 1000 && line <= MOST_IN_LINE, `the reading line has ${line} lines`);
    for (const room of LINE) {
      const lines = linesIn(room);
      assert.ok(lines <= MOST_IN_ROOM, `${room} has ${lines} lines`);
    }
  });

  it('can be walked: each walk of ARCHITECTURE.md goes through 12 files at most, all of them there and none twice', () => {
    const [, walks = ''] = readFileSync(`${ROOT}ARCHITECTURE.md`, 'utf8').split('## Four walks');
    const stops = walks
      .split(/^\*\*/m)
      .map(walk => [...walk.matchAll(/`([\w/-]+\.ts)`/g)].map(([, path = '']) => path));
    assert.equal(stops.filter(walk => walk.length > 5).length, 4);
    for (const walk of stops) {
      assert.ok(walk.length <= 12, walk.join(' '));
      assert.equal(new Set(walk).size, walk.length, walk.join(' '));
      for (const stop of walk)
        assert.ok(
          FILES.some(({ path }) => path === stop),
          stop,
        );
    }
  });

  it('is explained on a page of 1,300 words at most', () => {
    const words = readFileSync(`${ROOT}ARCHITECTURE.md`, 'utf8').split(/\s+/).length;
    assert.ok(words <= 1300, String(words));
  });

  it('reads the environment in one place: whoever else has it hands it on', () => {
    for (const { path, text } of FILES) {
      if (!text.includes('process.env')) continue;
      assert.match(path, /^server\/(main|cli\/[a-z/-]+)\.ts$/);
      assert.doesNotMatch(text, /process\.env[.[]/, path);
    }
  });

  it('has one version, in package.json and on every card', () => {
    assert.equal(SERVICE.version, JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).version);
  });
});
