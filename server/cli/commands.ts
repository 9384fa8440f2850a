import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { Command } from 'commander';
import { messageOf } from '../../owner/error-message.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { addSubmissionCommands } from './outbox-commands.ts';
import { addProfileCommands, DEFAULT_READ } from './profile-commands.ts';

/** Every subcommand loads its code when it runs, so that `aval stdio` answers at once. */
export const program = new Command('aval')
  .description('Answers questions about a consultancy verbatim from one signed brand profile.')
  .version(SERVICE.version)
  .option('--site <name>', 'with the settings of /etc/aval/NAME, as its service has them')
  .hook('preAction', async () => {
    const { site } = program.opts();
    if (site !== undefined) Object.assign(process.env, await settingsOfSite(site));
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
  .action(async () => (await import('./stdio.ts')).stdio(process.env));

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
    const { settingsToServe } = await import('./chosen-brand.ts');
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
    const { settingsToServe } = await import('./chosen-brand.ts');
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

/**
 * The settings of a site as its unit, deploy/aval@.service, has them; those of its aval.env come last, as in systemd.
 * @param site its name, or its folder where that is not /etc/aval/NAME
 */
async function settingsOfSite(site: string): Promise<Readonly<Record<string, string | undefined>>> {
  const folder = site.includes('/') ? site : join('/etc/aval', site);
  const file = join(folder, 'aval.env');
  const text = await readFile(file, 'utf8').catch(fault => {
    throw new Error(`--site ${site}: ${messageOf(fault)}. A site has its settings in ${file}; docs/operations.md.`);
  });
  return {
    NODE_ENV: 'production',
    DATA_DIR: join('/var/lib/aval', basename(folder)),
    BRAND_FILE: join(folder, 'brand.json'),
    BRAND_JWKS: join(folder, 'brand.jwks.json'),
    ...parseEnv(text),
  };
}
