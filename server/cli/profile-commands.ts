import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from '../../owner/output.ts';
import type { Environment } from '../config/settings.ts';

/** Help text of `--brand` and of the argument FILE. */
const DEFAULT_BRAND = 'default: brand.json of this folder, else BRAND_FILE';
export const DEFAULT_READ = `${DEFAULT_BRAND}, else the bundled example`;

/** Adds the commands that write, sign and verify profiles. Each loads its code when it runs. */
export function addProfileCommands(program: Command): void {
  program
    .command('init')
    .description('write a brand.json with two example claims, keys and .env')
    .argument('[directory]', 'where to write them', '.')
    .requiredOption('--name <name>', 'name of the brand')
    .requiredOption('--url <url>', 'its web address, like https://acme.example')
    .option('--language <tag>', 'language of the profile: es, en, pt-BR; default: es')
    .addOption(
      new Option(
        '--actions <choice>',
        'what people can send to the team: nothing, one form, or a diagnostic and a partner ' +
          'program (default)',
      ).choices(['none', 'contact', 'consultancy']),
    )
    .action(async (directory: string, options) => {
      const { init } = await import('./init.ts');
      await exitWith(init({ directory, ...options }, process));
    });

  const csv = program.command('csv').description('take the claims to a spreadsheet and back');

  csv
    .command('export')
    .description('write the claims as a CSV for a spreadsheet')
    .argument('<file>', 'a new file, such as claims.csv')
    .option('--brand <file>', `the profile; ${DEFAULT_READ}`)
    .action(async (file: string, options) => {
      const { file: brand } = await brandToRead(options.brand);
      const { exportClaims } = await import('./exchange.ts');
      await exitWith(exportClaims(file, { ...options, brand }, process));
    });

  csv
    .command('import')
    .description('put the claims of a CSV into a profile; faults are named by row and column')
    .argument('<file>', 'a CSV with headings in English or Spanish')
    .option('--brand <file>', `the profile that takes them; ${DEFAULT_BRAND}`)
    .option('--replace', 'drop the claims and proofs that the file does not have')
    .action(async (file: string, options) => {
      const { importClaims } = await import('./exchange.ts');
      const brand = await brandToChange(options.brand);
      await exitWith(importClaims(file, { ...options, brand }, process));
    });

  program
    .command('check')
    .description('list every fault of a profile with its line and fix, and warnings')
    .argument('[file]', `a brand.json, in any state; ${DEFAULT_READ}`)
    .option('--jwks <file>', 'public keys to hold the signature against; default: those beside the file')
    .option('--strict', 'warnings fail too')
    .option('--json', 'print the result as JSON')
    .action(async (named: string | undefined, options) => {
      const { file, jwks } = await brandToRead(named);
      const { check } = await import('./check.ts');
      await exitWith(check(file, { jwks, ...options }, process));
    });

  program
    .command('sign')
    .description('show what deserves a look, and sign; makes the keys where there are none')
    .argument('[file]', `a brand.json; ${DEFAULT_BRAND}`)
    .option('--key <file...>', 'private key, or several while one replaces the other; default: FILE.key.json')
    .option(
      '--new-key <file>',
      'make another private key, add its public half to the key set, and sign nothing',
    )
    .option('--renew <span>', 'valid from now for so long: 1y, 6m or 90d')
    .action(async (named: string | undefined, { key: keys, ...options }) => {
      const file = await brandToChange(named);
      const { sign } = await import('../../owner/sign.ts');
      await exitWith(sign(file, { ...options, keys }, process));
    });

  program
    .command('verify')
    .description('verify a profile (signature, host, dates), or prove an answer word for word')
    .argument(
      '[file|url|-]',
      `a brand.json or a site; an answer of /ask, - on standard input; ${DEFAULT_READ}`,
    )
    .option('--brand <file|url>', "for an answer: the signed profile; default: its site's, else as above")
    .option('--jwks <file>', 'public keys; for a URL those of the same host')
    .option('--host <host>', 'host that the profile must be of')
    .action(async (target: string | undefined, options) => {
      const { verify } = await import('./verify.ts');
      await exitWith(verify(target, options, process));
    });

  program
    .command('eval')
    .description('measure whether your questions find your claims')
    .requiredOption('--questions <file>', 'JSON lines: query, relevant (claim ids), lang')
    .option('--brand <file>', `the profile; ${DEFAULT_READ}`)
    .option('--json', 'print the figures and every answer as JSON')
    .action(async options => {
      const { file: brand, environment } = await brandToRead(options.brand);
      const { evaluate } = await import('./eval.ts');
      await exitWith(evaluate({ ...options, brand, config: await config(environment) }, process));
    });

  program
    .command('asked')
    .description('list what people asked (ASK_LOG), uncertain answers first; add it to the profile')
    .argument('[brand]', `the profile; ${DEFAULT_READ}`)
    .option('--since <days>', 'for example 30d', days, 30)
    .option('--json', 'print the result as JSON')
    .option('--csv <file>', 'write a sheet in which you choose the claim of each question')
    .option('--take <file>', "add the questions of such a sheet to the profile's, unsigned")
    .action(async (named: string | undefined, { since: sinceDays, take, ...options }) => {
      const settings = await config();
      const { openModel } = await import('../../brand/retrieval/model.ts');
      const { asked, takeAsked } = await import('./asked.ts');
      if (take !== undefined) {
        const brand = await brandToChange(named);
        const model = await openModel(settings.embedding);
        await exitWith(takeAsked(take, { brand, model }, process));
        return;
      }
      const { readAskedOnce } = await import('../run/ask-log.ts');
      const { file: brand } = await brandToRead(named);
      const readAsked = (sinceMs: number) => readAskedOnce(settings, sinceMs);
      const model = await openModel(settings.embedding);
      await exitWith(asked({ ...options, brand, model, sinceDays, readAsked }, process));
    });
}

/** Runs a command and sets the exit code of the process. */
export async function exitWith(command: Promise<ExitCode>): Promise<void> {
  process.exitCode = await command;
}

const brandToRead = async (named: string | undefined) =>
  (await import('./chosen-brand.ts')).chosenBrand({ named });

const brandToChange = async (named: string | undefined) =>
  (await (await import('./chosen-brand.ts')).chosenBrand({ named, changes: true })).file;

const config = async (environment: Environment = process.env) =>
  (await import('../config/config.ts')).readConfig(environment);

/** `30d` or `30`. */
function days(text: string): number {
  const [, digits] = /^([1-9]\d{0,3})d?$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('It is a number of days, like 30d.');
  return Number(digits);
}
