import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { program } from '../server/cli/commands.ts';
import { VARIABLES } from '../server/config/config.ts';
import { API_SECTIONS } from './api-sections.ts';
import { benchTable } from './bench-table.ts';
import { Evaluation, evalTables } from './eval-table.ts';
import { mcpBenchTable } from './mcp-bench-table.ts';
import { profileSections } from './profile-sections.ts';
import { table } from './table.ts';

/** Every generated section by its name in the markers. */
export const SECTIONS: Readonly<Record<string, () => string>> = {
  variables: () =>
    table(
      ['Variable', 'Default', 'Meaning'],
      VARIABLES.map(({ name, fallback, words }) => [`\`${name}\``, fallback && `\`${fallback}\``, words]),
    ),
  ...API_SECTIONS,
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
