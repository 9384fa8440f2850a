import { Command, Option } from 'commander';
import { SERVICE } from '../../tools/service-facts.ts';
import { addProfileCommands, DEFAULT_READ, exitWith } from './profile-commands.ts';

// This room is the command `aval`: each command reads its options here and loads its own file when it runs.
// In: arguments, settings of the environment, files. Out: text on stdout, notes on stderr, and an exit code
// (0 yes or done, 1 no, 2 could not be judged, 3 nothing there).

/** Each subcommand loads its code when it runs, so `aval stdio` starts fast. */
export const program = new Command('aval')
  .description('Answers questions about a firm verbatim from one signed brand profile.')
  .version(SERVICE.version)
  .showHelpAfterError('(--help says what it takes)')
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

program.commandsGroup('Look after a server:');
/** These commands work while servers run. */
const outbox = program.command('outbox').description('look after submissions beside servers');

outbox
  .command('list')
  .description('list the newest 100 without personal data; exit code 1 when one is overdue')
  .addOption(new Option('--state <state>', 'only these').choices(['pending', 'overdue', 'delivered']))
  .action(({ state }) => exitWith(import('./outbox.ts').then(({ list }) => list(state))));

outbox
  .command('show')
  .description('show one with its fields and what became of its mails')
  .argument('<name>', 'reference (ABCD-1234) or id')
  .action((name: string) => exitWith(import('./outbox.ts').then(({ show }) => show(name))));

outbox
  .command('retry')
  .description('have a running server send the mail of one now, or of all that wait')
  .argument('[name]', 'reference or id')
  .option('--all-pending', 'all that wait')
  .action((name: string | undefined, { allPending }: { allPending?: boolean }) => {
    if ((name === undefined) === !allPending) throw new Error('name one submission, or say --all-pending');
    return exitWith(import('./outbox.ts').then(({ retry }) => retry(name)));
  });

outbox
  .command('export')
  .description('print all with their fields as JSON, or those of one person')
  .option('--email <address>', 'only what one person sent, in any spelling of the mailbox')
  .action(options => exitWith(import('./outbox.ts').then(({ exportAll }) => exportAll(options))));

outbox
  .command('erase')
  .description('delete everything of one person, also what is pending')
  .requiredOption('--email <address>', 'in any spelling of the mailbox: case, +tag')
  .action(({ email }: { email: string }) =>
    exitWith(import('./outbox.ts').then(({ erase }) => erase(email))),
  );

outbox
  .command('rebind')
  .description('give the submissions to the profile of BRAND_FILE, once its id changed on purpose')
  .action(() => exitWith(import('./outbox.ts').then(({ rebind }) => rebind())));

outbox
  .command('backup')
  .description('copy the SQLite database into one file while servers run')
  .argument('<file>', 'a new file')
  .action((file: string) => exitWith(import('./outbox.ts').then(({ backup }) => backup(file))));

program
  .command('doctor')
  .description('check everything an installation needs, and print each fix')
  .option('--profile', 'the profile alone, as a reload reads it')
  .option('--webhook', 'the webhook alone: sends it a test')
  .action(async options => {
    const { doctor } = await import('./doctor.ts');
    const { chosenBrand } = await import('./chosen-brand.ts');
    const { environment } = await chosenBrand({ isServer: true });
    await exitWith(doctor(options, environment));
  });

/** Adds the settings to `aval serve --help`. Only that loads them. */
export async function addSettingsHelp(): Promise<void> {
  const { envFile } = await import('../config/settings.ts');
  const serve = program.commands.find(command => command.name() === 'serve');
  serve?.addHelpText('after', `\nSettings, as lines of an .env file with their defaults:\n\n${envFile()}`);
}
