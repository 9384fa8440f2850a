import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { checkProfile } from '../../owner/check-profile.ts';
import { importClaims } from '../../server/cli/exchange.ts';
import { ROOT } from '../support/folder.ts';
import { NOW, profileFolder } from './profile-folder.ts';

const SKILL = `${ROOT}skills/write-profile/`;
const text = readFileSync(`${SKILL}SKILL.md`, 'utf8');

describe('the skill that writes a profile', () => {
  it('has the head of an agent skill, in the folder of its name, and each file that it links', () => {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    assert.match(head, /^name: write-profile$/m);
    assert.ok((/^description: (.+)$/m.exec(head)?.[1] ?? '').length <= 1024);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length >= 4);
    for (const link of links) assert.ok(existsSync(`${SKILL}${link}`), link);
  });

  it('has an example that import takes and check finds nothing in, and a template with the same columns', async () => {
    const { path, read } = await profileFolder([], 'en');
    const said: string[] = [];
    const sink = { write: (line: string) => said.push(line) };
    const output = { stdout: sink, stderr: sink };
    const options = { brand: path('brand.json'), now: NOW };
    assert.equal(await importClaims(`${SKILL}assets/example.csv`, options, output), 0, said.join(''));
    const { faults, warnings } = await checkProfile(readFileSync(path('brand.json')), { now: NOW });
    assert.deepEqual(
      [...faults, ...warnings].map(({ code }) => code),
      ['unsigned', 'example'],
    );
    assert.equal((await read()).claims.length, 6);
    const headings = (name: string) => readFileSync(`${SKILL}assets/${name}`, 'utf8').split('\n')[0];
    assert.equal(headings('template.csv'), headings('example.csv'));
  });
});
