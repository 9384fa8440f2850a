import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { DOCUMENTS } from '../discovery/index.ts';
import { ROUTES, STATUS_PATH } from '../rest/routes.ts';
import { program } from '../server/cli/commands.ts';
import { VARIABLES } from '../server/config/config.ts';
import { ERRORS } from '../tools/errors.ts';
import { limitRows, POLICIES } from '../tools/policies.ts';
import { createPresentation } from '../tools/presentation.ts';
import { benchTable } from './bench-table.ts';
import { Evaluation, evalTables } from './eval-table.ts';
import { mcpBenchTable } from './mcp-bench-table.ts';
import { profileSections } from './profile-sections.ts';
import { table } from './table.ts';

/** Words of no brand. */
const NEUTRAL = createPresentation(undefined, { baseUrl: '', policies: POLICIES, mode: undefined });

/** Every generated section by its name in the markers. */
export const SECTIONS: Readonly<Record<string, () => string>> = {
  variables: () =>
    table(
      ['Variable', 'Default', 'Meaning'],
      VARIABLES.map(({ name, fallback, words }) => [`\`${name}\``, fallback && `\`${fallback}\``, words]),
    ),
  api: () =>
    table(
      ['Method', 'Path', 'What it does'],
      [
        ...ROUTES.map(({ method, path, aliases, tool }) => [
          method,
          [path, ...aliases].map(name => `\`${name}\``).join(', '),
          `${tool.describe(NEUTRAL).title} (MCP: \`${tool.name}\`)`,
        ]),
        ['GET', `\`${STATUS_PATH}\``, 'Liveness'],
        ['POST', '`/mcp`', 'Model Context Protocol, JSON responses'],
        ['GET', '`/mcp`', 'What the endpoint is, its tools and limits'],
      ],
    ),
  published: () =>
    table(
      ['Published', 'What it is'],
      DOCUMENTS.flatMap(({ path, listed }) => (listed ? [[`\`${path}\``, `${listed.title}: ${listed.note}`]] : [])),
    ),
  limits: () =>
    table(
      ['What', 'Limit', 'Policy'],
      limitRows(POLICIES).map(row => [row.scope, row.text, `\`${row.policy}\``]),
    ),
  errors: () =>
    table(
      ['Code', 'HTTP', 'Message', 'Hint'],
      Object.entries(ERRORS).map(([code, { status, message, hint }]) => [`\`${code}\``, status, message, hint]),
    ),
  eval: () => evalTables(Evaluation.parse(JSON.parse(results('eval.json')))),
  commands: () => table(['Command', 'What it does'], commandRows()),
  ...profileSections,
  'bench-mcp': () => mcpBenchTable(results('mcp.json')),
  bench: () => benchTable(results('bench.json')),
};

/** Every subcommand as `aval --help` lists it. */
function commandRows(): string[][] {
  return leaves(program).map(command => [`\`${usage(command)}\``, command.description()]);
}

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function usage(command: Command): string {
  const words = [command.name(), command.usage()].join(' ').replace(' [options]', '');
  return command.parent && command.parent !== program ? `${command.parent.name()} ${words}` : words;
}

/** Figures that a command of this repository measured and wrote. */
function results(file: string): string {
  return readFileSync(new URL(`../bench/results/${file}`, import.meta.url), 'utf8');
}
