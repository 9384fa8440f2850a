import { Command } from 'commander';
import { SERVICE } from '../../tools/service.ts';
import { addOperateCommands } from './operate/commands.ts';
import { addProfileCommands } from './profile/commands.ts';

/** Every subcommand loads its code when it runs, so that `aval stdio` answers at once. */
export const program = new Command('aval')
  .description('Answers questions about a consultancy verbatim from one signed brand profile.')
  .version(SERVICE.version)
  .exitOverride()
  .showHelpAfterError('(aval --help lists the commands)')
  .addHelpText(
    'after',
    '\nExit codes: 0 yes or done, 1 no, 2 could not be judged or started, 3 nothing there to judge.',
  );

program
  .command('serve')
  .description('run the HTTP server; its settings are environment variables, see aval variables')
  .action(async () => (await import('./operate/serve.ts')).serve(process.env));

program
  .command('stdio')
  .description('speak MCP on standard input and output')
  .action(async () => (await import('./stdio.ts')).stdio(process.env));

program
  .command('ask')
  .description('answer a question on the terminal')
  .argument('<question...>', 'in Spanish or English')
  .option('--brand <file>', 'brand profile; default: BRAND_FILE, else the bundled example')
  .option('--json', 'print the body that /ask would answer')
  .action(async (words: string[], options) => (await import('./ask.ts')).ask(words.join(' '), options));

addProfileCommands(program);

program
  .command('client-config')
  .description('print what a host needs to reach this server')
  .requiredOption('--for <host>', 'claude, claude-desktop, vscode, cursor, codex or inspector')
  .option('--url <url>', 'address of the server; default: BASE_URL, else HOST and PORT')
  .option('--stdio', 'the host starts the server itself instead')
  .option('--name <name>', 'how the host calls it; default: the id of the profile')
  .action(async options => {
    const { clientConfig } = await import('./client-config.ts');
    process.exitCode = await clientConfig({ ...options, environment: process.env }, process);
  });

const outbox = program.command('outbox').description('look after the submissions, while the server runs too');

outbox
  .command('list')
  .description('list them without what is personal; exit code 1 when one waits longer than 48 hours')
  .option('--json', 'print the result as JSON')
  .action(async options => {
    process.exitCode = await (await import('./outbox.ts')).list(options, process);
  });

outbox
  .command('show')
  .description('show one with its fields and its history')
  .argument('<id>')
  .action(async (id: string) => {
    process.exitCode = await (await import('./outbox.ts')).show(id, process);
  });

outbox
  .command('retry')
  .description('try to send the mail of one again, or of all that wait')
  .argument('[id]')
  .option('--all-pending', 'all that wait')
  .action(async (id: string | undefined, { allPending }: { allPending?: boolean }) => {
    if ((id === undefined) === !allPending) throw new Error('name one submission, or say --all-pending');
    process.exitCode = await (await import('./outbox.ts')).retry(id, process);
  });

outbox
  .command('abandon')
  .description('give up on one that cannot be delivered')
  .argument('<id>')
  .action(async (id: string) => {
    process.exitCode = await (await import('./outbox.ts')).abandon(id, process);
  });

outbox
  .command('export')
  .description('print all of them with their fields as JSON')
  .action(async () => {
    process.exitCode = await (await import('./outbox.ts')).exportAll(process);
  });

outbox
  .command('purge')
  .description('drop the fields of what was finished longer ago')
  .requiredOption('--older-than <days>', 'for example 30d')
  .action(async ({ olderThan }: { olderThan: string }) => {
    process.exitCode = await (await import('./outbox.ts')).purge(olderThan, process);
  });

addOperateCommands(program);
