import { type Command, InvalidArgumentError, Option } from 'commander';

const STATES = ['pending', 'overdue', 'delivered', 'written', 'abandoned'];

/** The commands of whoever looks after submissions, beside any number of running servers. Each loads its code when it runs. */
export function addSubmissionCommands(program: Command): void {
  const outbox = program.command('outbox').description('look after submissions beside servers');

  outbox
    .command('list')
    .description('list submissions without personal data, newest last; exit code 1 when one is overdue')
    .addOption(new Option('--state <state>', 'only these').choices(STATES))
    .option('--limit <count>', 'the newest so many', whole, 100)
    .option('--json', 'print the result as JSON')
    .action(async options => {
      process.exitCode = await (await import('./outbox.ts')).list(options, process);
    });

  outbox
    .command('show')
    .description('show one with its fields, attempts and confirmation')
    .argument('<name>', 'reference (ABCD-1234) or id')
    .action(async (name: string) => {
      process.exitCode = await (await import('./outbox.ts')).show(name, process);
    });

  outbox
    .command('retry')
    .description('send the mail of one again, or of all that wait')
    .argument('[name]', 'reference or id')
    .option('--all-pending', 'all that wait')
    .action(async (name: string | undefined, { allPending }: { allPending?: boolean }) => {
      if ((name === undefined) === !allPending) throw new Error('name one submission, or say --all-pending');
      process.exitCode = await (await import('./outbox-retry.ts')).retry(name, process);
    });

  outbox
    .command('export')
    .description('print all with their fields, or those of one person')
    .addOption(
      new Option('--format <format>', 'for programs or for a spreadsheet').choices(['json', 'csv']).default('json'),
    )
    .option('--email <address>', 'only what one person sent, in any spelling of the mailbox')
    .action(async options => {
      process.exitCode = await (await import('./outbox-export.ts')).exportAll(options, process);
    });

  outbox
    .command('erase')
    .description('erase everything of one person, and give up what is pending')
    .option('--email <address>', 'in any spelling of the mailbox: case, +tag')
    .option('--again', 'everybody who was erased before; for use after pg_restore')
    .action(async ({ email, again }: { email?: string; again?: boolean }) => {
      if ((email === undefined) === !again) throw new Error('say --email ADDRESS, or --again');
      const { erase, eraseAgain } = await import('./outbox-erase.ts');
      process.exitCode = await (email === undefined ? eraseAgain(process) : erase(email, process));
    });

  outbox
    .command('rebind')
    .description('give the submissions to the profile of BRAND_FILE, once its id changed on purpose')
    .option('--yes', 'after the two ids were shown')
    .action(async (options: { yes?: boolean }) => {
      process.exitCode = await (await import('./outbox-rebind.ts')).rebindStore(options, process);
    });

  outbox
    .command('backup')
    .description('copy the database, consistently, while servers run')
    .argument('<file>', 'a new file')
    .action(async (file: string) => {
      process.exitCode = await (await import('./outbox-backup.ts')).backup(file, process);
    });

  outbox
    .command('restore')
    .description('restore a back-up in one step, while servers run')
    .argument('<file>', 'what aval outbox backup wrote')
    .option('--replace', 'in place of the submissions that are there')
    .action(async (file: string, options) => {
      process.exitCode = await (await import('./outbox-backup.ts')).restore(file, options, process);
    });
}

function whole(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
