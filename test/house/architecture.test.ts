import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ROOT } from '../support/folder.ts';

const FOLDERS = ['brand', 'tools', 'rest', 'discovery', 'owner', 'server'];

/** The folder of a file; a file that lies loose in one of the six is a room by itself. */
const roomOf = (path: string): string =>
  path.split('/').length === 2 ? path : path.slice(0, path.lastIndexOf('/'));

const IMPORT = /\b(?:from|import)\s*\(?\s*'((?:\.|#package)[^']*)'/g;

const FILES = FOLDERS.flatMap(folder =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => {
      const [path, text] = [`${folder}/${name}`, readFileSync(`${ROOT}${folder}/${name}`, 'utf8')];
      const targets = Array.from(text.matchAll(IMPORT), ([, target = '']) => target);
      const imported = targets.filter(target => !target.startsWith('#package/'));
      return {
        path,
        text,
        imported: imported.map(target => new URL(target, `file:///${path}`).pathname.slice(1)),
      };
    }),
);

describe('the code', () => {
  it('depends in one direction: brand, tools, rest, discovery, owner, server', () => {
    assert.ok(FILES.length > 40);
    const place = (path: string) => FOLDERS.indexOf(path.split('/', 1)[0] ?? '');
    for (const { path, imported } of FILES)
      for (const target of imported) assert.ok(place(target) <= place(path), `${path}: ${target}`);
  });

  it('has no circle of rooms', () => {
    const uses = new Map<string, Set<string>>();
    for (const { path, imported } of FILES) {
      const rooms = uses.get(roomOf(path)) ?? new Set();
      for (const target of imported) if (roomOf(target) !== roomOf(path)) rooms.add(roomOf(target));
      uses.set(roomOf(path), rooms);
    }
    const done = new Set<string>();
    const visit = (room: string, way: readonly string[]) => {
      assert.ok(!way.includes(room), [...way, room].join(' → '));
      if (done.has(room)) return;
      for (const next of uses.get(room) ?? []) visit(next, [...way, room]);
      done.add(room);
    };
    for (const room of uses.keys()) visit(room, []);
  });

  it('keeps the desk of whoever writes a profile away from the service: only commands import it', () => {
    for (const { path, text } of FILES) {
      if (!/from '[./]+owner\/|import\('[./]+owner\//.test(text)) continue;
      assert.match(path, /^(owner\/|server\/cli)/);
    }
  });

  it('reads the environment in one place: whoever else has it hands it on', () => {
    for (const { path, text: whole } of FILES) {
      // The runtime's own switch, which is no setting.
      const text = whole.replace('process.env.ORT_DISABLE_TELEMETRY', '');
      if (!text.includes('process.env')) continue;
      assert.match(path, /^server\/(main|cli\/[a-z/-]+)\.ts$/);
      assert.doesNotMatch(text, /process\.env[.[]/, path);
    }
  });
});
