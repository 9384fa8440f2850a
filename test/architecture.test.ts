import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { SERVICE } from '../tools/service.ts';
import { ROOT } from './support.ts';

/** The reading order: a folder imports from itself and from those before it. */
const LINE = ['brand', 'tools', 'rest', 'discovery', 'server'];

const IMPORT = /\b(?:from|import)\s*\(?\s*'((?:\.|#package)[^']*)'/g;

const FILES = LINE.flatMap(folder =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => ({ folder, path: `${folder}/${name}`, text: readFileSync(`${ROOT}${folder}/${name}`, 'utf8') })),
);

/** Variables that are read outside server/environment.ts: colour on a terminal. */
const READ_ELSEWHERE = ['FORCE_COLOR', 'NO_COLOR'];

describe('the code', () => {
  it('depends in one direction: brand, tools, rest, discovery, server', () => {
    assert.ok(FILES.length > 40);
    for (const { folder, path, text } of FILES) {
      for (const [, target = ''] of text.matchAll(IMPORT)) {
        const [imported = ''] = new URL(target, `file:///${path}`).pathname.slice(1).split('/');
        assert.ok(
          target.startsWith('#package/') || LINE.indexOf(imported) <= LINE.indexOf(folder),
          `${path}: ${target}`,
        );
        assert.ok(target.startsWith('#package/') || LINE.includes(imported), `${path}: ${target}`);
      }
    }
  });

  it('reads the environment in one place: whoever else has it hands it on', () => {
    for (const { path, text } of FILES) {
      if (!text.includes('process.env')) continue;
      assert.match(path, /^server\/(main|dev|commands|commands\/[a-z-]+)\.ts$/);
      for (const [, name = ''] of text.matchAll(/process\.env(?:\.(\w+)|\[)/g)) {
        assert.ok(READ_ELSEWHERE.includes(name), `${path} reads ${name}`);
      }
    }
  });

  it('has one version, in package.json and on every card', () => {
    assert.equal(SERVICE.version, JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).version);
  });
});
