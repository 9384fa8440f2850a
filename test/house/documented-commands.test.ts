import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { readProfile } from '../../brand/profile/profile.ts';
import { program } from '../../server/cli/commands.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { ROOT } from '../support/folder.ts';

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8');
const pagesIn = (folder: string) =>
  readdirSync(join(ROOT, folder)).flatMap(name => (name.endsWith('.md') ? [join(folder, name)] : []));
const PAGES = [...pagesIn('.'), ...pagesIn('docs')];
const LINKED = [...PAGES, ...pagesIn('docs/decisions'), ...pagesIn('model'), ...pagesIn('model/encoder')];

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

/** What a reader sees as text: the page without its blocks of code. */
const textOf = (page: string) => read(page).replaceAll(/^```.*?^```/gms, '');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map(words =>
      words
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Links of a page to files that are missing, or to headings that a page does not have. */
function brokenLinks(page: string): string[] {
  const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter(link => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
  });
}

describe('the documents', () => {
  it('link to files and headings that there are', () => {
    const broken = LINKED.flatMap(page => brokenLinks(page).map(link => [page, link]));
    assert.deepEqual(broken, []);
  });

  it('name scripts of package.json and benches that there are', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const benches = read('bench/run.js');
    for (const page of PAGES) {
      for (const [, script = '', , bench = ''] of read(page).matchAll(
        /npm run ([\w:]+)( -- ([a-z][\w-]*))?/g,
      )) {
        assert.ok(scripts[script], `${page}: npm run ${script}`);
        if (script === 'bench' && bench !== '')
          assert.match(benches, new RegExp(`^ {2}'?${bench}'?: \\[`, 'm'), page);
      }
    }
  });

  it('name commands and options that there are, with what they demand', () => {
    const faults = PAGES.flatMap(page => commandsIn(read(page)).map(line => [page, faultOf(line)]));
    assert.deepEqual(
      faults.filter(([, fault]) => fault !== undefined),
      [],
    );
  });

  it('show a profile, and actions for it, that a server takes', () => {
    const blocks = [...read('docs/profile.md').matchAll(/```json\n(.*?)```/gs)].map(([, json]) => json);
    assert.equal(blocks.length, 2);
    const [example = '', actions] = blocks;
    const { profile } = readProfile(Buffer.from(example.replace(/\n}\n$/, `,\n${actions}}`)));
    assert.equal(profile.actions?.request_diagnostic?.reply_hours, 24);
  });

  it('give a reason for every package that the product needs', () => {
    const { dependencies, optionalDependencies } = JSON.parse(read('package.json'));
    const rows = [...read('CONTRIBUTING.md').matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]{10,}) \|$/gm)];
    const reasoned = rows.flatMap(([, names = '']) => names.replaceAll(/\([^)]*\)/g, '').split(', '));
    const isReasoned = (name: string) =>
      reasoned.some(of => of.trim() === name || (of.endsWith('*') && name.startsWith(of.slice(0, -1))));
    const needed = Object.keys({ ...dependencies, ...optionalDependencies });
    assert.deepEqual(
      needed.filter(name => !isReasoned(name)),
      [],
    );
  });

  it('begin the changelog with the version of the package, which the start and the metrics name', () => {
    const { version } = JSON.parse(read('package.json'));
    assert.deepEqual([/^## (.+)$/m.exec(read('CHANGELOG.md'))?.[1], SERVICE.version], [version, version]);
  });

  it('give a command the settings of the unit of a site', () => {
    const [, block = ''] = /settings of the unit[^`]*```sh\n(.*?)```/s.exec(read('docs/operations.md')) ?? [];
    const unit = read('deploy/aval@.service').replaceAll('%i', 'acme.example');
    for (const [, settings = ''] of unit.matchAll(/^Environment=(.*)$/gm)) {
      // The page writes files without their folder, in which it stands.
      for (const setting of settings.replaceAll('/etc/aval/acme.example/', '').split(' '))
        assert.ok(block.includes(` ${setting} `), setting);
    }
    assert.match(block, /--env-file=unit\.env --env-file=aval\.env /);
  });

  it('say what to do about every rule of Prometheus', () => {
    const { groups } = parse(read('deploy/alerts.yml'));
    const operations = read('docs/operations.md');
    for (const { alert } of groups[0].rules) assert.ok(operations.includes(`\`${alert}\``), alert);
  });
});
