import { type Command, Option } from 'commander';
import type { ExitCode } from '../../owner/output.ts';
import { within } from './profile-commands.ts';

const STATES = ['pending', 'overdue', 'delivered', 'written', 'abandoned'];

/** The commands of whoever looks after submissions, beside any number of running servers. Each loads its code when it runs. */
export function addSubmissionCommands(program: Command): void {
  const outbox = program.command('outbox').description('look after submissions beside servers');

  outbox
    .command('list')
    .description('list submissions without personal data, newest last; exit code 1 when one is overdue')
    .addOption(new Option('--state <state>', 'only these').choices(STATES))
    .option('--limit <count>', 'the newest so many', within(1, 999_999_999, 'It must be a whole number from 1.'), 100)
    .option('--json', 'print the result as JSON')
    .action(options => exits(import('./outbox.ts').then(({ list }) => list(options, process))));

  outbox
    .command('show')
    .description('show one with its fields, attempts and confirmation')
    .argument('<name>', 'reference (ABCD-1234) or id')
    .action((name: string) => exits(import('./outbox.ts').then(({ show }) => show(name, process))));

  outbox
    .command('retry')
    .description('send the mail of one again, or of all that wait')
    .argument('[name]', 'reference or id')
    .option('--all-pending', 'all that wait')
    .action((name: string | undefined, { allPending }: { allPending?: boolean }) => {
      if ((name === undefined) === !allPending) throw new Error('name one submission, or say --all-pending');
      return exits(import('./outbox.ts').then(({ retry }) => retry(name, process)));
    });

  outbox
    .command('export')
    .description('print all with their fields, or those of one person')
    .addOption(
      new Option('--format <format>', 'for programs or for a spreadsheet').choices(['json', 'csv']).default('json'),
    )
    .option('--email <address>', 'only what one person sent, in any spelling of the mailbox')
    .action(options => exits(import('./outbox-export.ts').then(({ exportAll }) => exportAll(options, process))));

  outbox
    .command('erase')
    .description('erase everything of one person, and give up what is pending')
    .requiredOption('--email <address>', 'in any spelling of the mailbox: case, +tag')
    .action(({ email }: { email: string }) => exits(import('./outbox.ts').then(({ erase }) => erase(email, process))));

  outbox
    .command('rebind')
    .description('give the submissions to the profile of BRAND_FILE, once its id changed on purpose')
    .option('--yes', 'do it; without it both ids are shown')
    .action(options => exits(import('./outbox.ts').then(({ rebind }) => rebind(options, process))));

  outbox
    .command('backup')
    .description('write everything, SQLite or Postgres, into one file while servers run')
    .argument('<file>', 'a new file')
    .action((file: string) => exits(import('./outbox-backup.ts').then(({ backup }) => backup(file, process))));

  outbox
    .command('restore')
    .description('restore a back-up in one step, while servers run')
    .argument('<file>', 'what aval outbox backup wrote')
    .option('--replace', 'in place of the submissions that are there')
    .action((file: string, options) =>
      exits(import('./outbox-backup.ts').then(({ restore }) => restore(file, options, process))),
    );
}

async function exits(command: Promise<ExitCode>): Promise<void> {
  process.exitCode = await command;
}
