import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { program } from '../server/cli/commands.ts';
import { ROOT } from './support.ts';

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const PAGES = [
  'README.md',
  ...readdirSync(`${ROOT}docs`).flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** Every `aval …` of a page that is more than a name: in the line, and at the start of a line of a block. */
function commandsIn(text: string): string[] {
  const inline = [...text.matchAll(/`(?:npx )?(aval [^`|]+)`/g)];
  const blocks = [...text.matchAll(/^(aval [^#\n]+)/gm)];
  return [...inline, ...blocks].map(([, command = '']) => command.trim());
}

/** What is wrong with it, as far as names go. */
function faultOf(line: string): string | undefined {
  const [, ...words] = line.split(/\s+/);
  let command: Command = program;
  for (;;) {
    const inner = command.commands.find(one => one.name() === words[0]);
    if (!inner) break;
    command = inner;
    words.shift();
  }
  if (command === program && !words[0]?.startsWith('--')) return `no command: ${line}`;
  const known = new Set(['--help', '--version', ...command.options.flatMap(({ long }) => long ?? [])]);
  const given = words.filter(word => word.startsWith('--'));
  const unknown = given.find(option => !known.has(option));
  if (unknown) return `no option ${unknown}: ${line}`;
  const missing = command.options.find(({ mandatory, long }) => mandatory && !given.includes(long ?? ''));
  return missing && words.length > 0 ? `needs ${missing.long}: ${line}` : undefined;
}

describe('the documents', () => {
  it('name commands and options that there are, with what they demand', () => {
    const faults = PAGES.flatMap(page => commandsIn(read(page)).map(line => [page, faultOf(line)]));
    assert.deepEqual(
      faults.filter(([, fault]) => fault !== undefined),
      [],
    );
  });

  it('say what to do about every rule of Prometheus', () => {
    const { groups } = parse(read('deploy/alerts.yml'));
    const operations = read('docs/operations.md');
    for (const { alert } of groups[0].rules) assert.ok(operations.includes(`\`${alert}\``), alert);
  });
});
