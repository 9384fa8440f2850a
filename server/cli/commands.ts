import { Command } from 'commander';
import { SERVICE } from '../../tools/service-facts.ts';
import { DEFAULT_READ, settingsToServe } from './brand-option.ts';
import { addSubmissionCommands } from './outbox-commands.ts';
import { addProfileCommands } from './profile-commands.ts';

/** Every subcommand loads its code when it runs, so that `aval stdio` answers at once. */
export const program = new Command('aval')
  .description('Answers questions about a consultancy verbatim from one signed brand profile.')
  .version(SERVICE.version)
  .option('--site <name>', 'with the settings of /etc/aval/NAME, as its service has them')
  .hook('preAction', async () => {
    const { site } = program.opts();
    if (site === undefined) return;
    const { settingsOfSite } = await import('./site.ts');
    Object.assign(process.env, await settingsOfSite(site));
  })
  .exitOverride()
  .addHelpText(
    'after',
    '\nExit codes: 0 yes or done, 1 no, 2 could not be judged or started, 3 nothing there to judge.',
  );

program.commandsGroup('Write and sign a profile:');
addProfileCommands(program);

program.commandsGroup('Answer:');
program
  .command('serve')
  .description('run the HTTP server')
  .action(async () => (await import('./serve.ts')).serve(process.env));

program
  .command('stdio')
  .description('speak MCP on standard input and output')
  .action(async () => (await import('../run/stdio.ts')).stdio(process.env));

program
  .command('ask')
  .description('answer a question on the terminal')
  .argument('<question...>', 'in Spanish or English')
  .option('--brand <file>', `the profile; ${DEFAULT_READ}`)
  .option('--json', 'print the body that /ask would answer')
  .action(async (words: string[], options) => (await import('./ask.ts')).ask(words.join(' '), options));

program
  .command('client-config')
  .description('print what an MCP client needs to reach this server')
  .option('--for <claude|json>', 'a command for Claude Code, or the JSON that most clients read', 'json')
  .option('--url <url>', 'address of the server; default: BASE_URL, else HOST and PORT')
  .option('--stdio', 'the client starts the server itself instead')
  .option('--name <name>', 'how the client calls it; default: the id of the profile')
  .action(async options => {
    const { clientConfig } = await import('./client-config.ts');
    process.exitCode = await clientConfig({ ...options, environment: await settingsToServe() }, process);
  });

program.commandsGroup('Look after a server:');
addSubmissionCommands(program);
program
  .command('doctor')
  .description('check everything an installation needs, and print each fix')
  .option('--profile', 'the profile alone, as a reload reads it')
  .option('--json', 'print what was found as JSON')
  .action(async options => {
    const { doctor } = await import('./doctor.ts');
    process.exitCode = await doctor(options, await settingsToServe(), process);
  });

nameHelp(program, 'aval', 'lists the commands');

/** `aval serve --help` lists the settings; they are loaded for it alone. */
export async function addSettingsHelp(): Promise<void> {
  const { envFile } = await import('../config/config.ts');
  const serve = program.commands.find(command => command.name() === 'serve');
  serve?.addHelpText('after', `\nSettings, as lines of an .env file with their defaults:\n\n${envFile()}`);
}

/** A command that lacks something says whose help has it. */
function nameHelp(command: Command, words: string, what: string): void {
  command.showHelpAfterError(`(${words} --help ${what})`);
  for (const inner of command.commands) nameHelp(inner, `${words} ${inner.name()}`, 'says what it takes');
}
