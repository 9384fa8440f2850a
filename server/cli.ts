#!/usr/bin/env node
import { Command } from 'commander';
import { SERVICE } from '../tools/service.ts';

/** Every subcommand loads its code when it runs, so that `aval stdio` answers at once. */
const program = new Command('aval')
  .description('Answers questions about a consultancy verbatim from one signed brand profile.')
  .version(SERVICE.version)
  .showHelpAfterError('(aval --help lists the commands)');

program
  .command('serve')
  .description('run the HTTP server (settings: environment variables, see aval variables)')
  .action(async () => (await import('./serve.ts')).serve(process.env));

program
  .command('stdio')
  .description('speak MCP on standard input and output')
  .action(async () => (await import('./commands/stdio.ts')).stdio(process.env));

program
  .command('ask')
  .description('answer a question on the terminal')
  .argument('<question...>', 'in Spanish or English')
  .option('--brand <file>', 'brand profile; default: BRAND_FILE, else the bundled example')
  .option('--json', 'print the body that /ask would answer')
  .action(async (words: string[], options) => (await import('./commands/ask.ts')).ask(words.join(' '), options));

program
  .command('variables')
  .description('list the environment variables with their defaults')
  .action(async () => (await import('./commands/variables.ts')).variables());

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`aval: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
