import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ROOT } from './support.ts';

/** `2.1` for the first item of section 2 in docs/contract.md; `4` for a section without a list. */
function sectionsOf(contract: string): string[] {
  return [...contract.matchAll(/^## (\d+)\. .*\n([^#]*)/gm)].flatMap(([, number = '', text = '']) => {
    const items = [...text.matchAll(/^(\d+)\. /gm)].map(([, item]) => `${number}.${item}`);
    return items.length > 0 ? items : [number];
  });
}

/** The sections that each test file says it holds, in its first line. */
const CITED = readdirSync(`${ROOT}test`)
  .filter(file => /\.(test|process|check)\.ts$/.test(file))
  .map(file => {
    const [, list = ''] = /^\/\/ contract: (.+)\n/.exec(readFileSync(`${ROOT}test/${file}`, 'utf8')) ?? [];
    return { file, cited: list.split(', ').filter(Boolean) };
  });

describe('docs/contract.md', () => {
  const sections = sectionsOf(readFileSync(`${ROOT}docs/contract.md`, 'utf8'));

  it('has no section that no test file holds', () => {
    assert.ok(sections.length > 20 && sections.includes('2.1') && sections.includes('4'), sections.join(' '));
    const held = new Set(CITED.flatMap(({ cited }) => cited));
    assert.deepEqual(
      sections.filter(section => !held.has(section)),
      [],
    );
  });

  it('has every section that a test file says it holds', () => {
    for (const { file, cited } of CITED) {
      assert.deepEqual(
        cited.filter(section => !sections.includes(section)),
        [],
        file,
      );
    }
  });
});
