import { Command } from 'commander';
import { SERVICE } from '../../tools/service-facts.ts';
import { DEFAULT_READ, settingsToServe } from './brand-option.ts';
import { addProfileCommands } from './profile-commands.ts';
import { addSubmissionCommands } from './submissions/commands.ts';
import { addTrustCommands } from './trust-commands.ts';

/** Every subcommand loads its code when it runs, so that `aval stdio` answers at once. */
export const program = new Command('aval')
  .description('Answers questions about a consultancy verbatim from one signed brand profile.')
  .version(SERVICE.version)
  .exitOverride()
  .addHelpText(
    'after',
    '\nExit codes: 0 yes or done, 1 no, 2 could not be judged or started, 3 nothing there to judge.',
  );

program
  .command('serve')
  .description('run the HTTP server')
  .action(async () => (await import('./operate/serve.ts')).serve(process.env));

program
  .command('stdio')
  .description('speak MCP on standard input and output')
  .action(async () => (await import('../mcp/stdio/stdio.ts')).stdio(process.env));

program
  .command('ask')
  .description('answer a question on the terminal')
  .argument('<question...>', 'in Spanish or English')
  .option('--brand <file>', `the profile; ${DEFAULT_READ}`)
  .option('--json', 'print the body that /ask would answer')
  .option('--explain', 'show the parts of each score, the words that matched, and what was left out and why')
  .action(async (words: string[], options) => (await import('./ask.ts')).ask(words.join(' '), options));

addProfileCommands(program);

addTrustCommands(program);

program
  .command('client-config')
  .description('print what an MCP client needs to reach this server')
  .requiredOption('--for <claude|claude-desktop|vscode|cursor|codex|gemini|windsurf|zed|inspector>', 'the client')
  .option('--url <url>', 'address of the server; default: BASE_URL, else HOST and PORT')
  .option('--stdio', 'the host starts the server itself instead')
  .option('--name <name>', 'how the host calls it; default: the id of the profile')
  .action(async options => {
    const { clientConfig } = await import('./operate/client-config.ts');
    process.exitCode = await clientConfig({ ...options, environment: await settingsToServe() }, process);
  });

addSubmissionCommands(program);

program
  .command('registry')
  .description('print server.json for the MCP registry, from BASE_URL and BRAND_FILE')
  .option('--auth <pem>', 'print the proof of the domain instead: the public half of an Ed25519 key')
  .action(async options => {
    const { registry } = await import('./operate/registry.ts');
    process.exitCode = await registry(options, await settingsToServe(), process);
  });

program
  .command('embed')
  .description("print what puts question box and forms on another site's page")
  .action(async () => (await import('./operate/embed-command.ts')).embed(process.env, process));

program
  .command('doctor')
  .description('check everything an installation needs, and print each fix')
  .option('--profile', 'the profile alone, as a reload reads it')
  .option('--json', 'print what was found as JSON')
  .action(async options => {
    const { doctor } = await import('./operate/doctor.ts');
    process.exitCode = await doctor(options, await settingsToServe(), process);
  });

program
  .command('variables')
  .description('list the environment variables with their defaults')
  .action(async () => void process.stdout.write((await import('../config/config.ts')).envFile()));

nameHelp(program, 'aval', 'lists the commands');

/** A command that lacks something says whose help has it. */
function nameHelp(command: Command, words: string, what: string): void {
  command.showHelpAfterError(`(${words} --help ${what})`);
  for (const inner of command.commands) nameHelp(inner, `${words} ${inner.name()}`, 'says what it takes');
}
