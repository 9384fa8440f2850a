import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Embedder } from '../../brand/retrieval/embedder.ts';
import { writeJson } from '../../owner/terminal/output.ts';
import { brandToChange, brandToRead, DEFAULT_BRAND, DEFAULT_READ } from './brand-option.ts';

const ACTIONS = ['none', 'contact', 'consultancy'];
const FORMATS = ['csv', 'xlsx', 'md', 'yaml'];
const SIDES = ['file', 'profile'];

/** The commands of whoever writes a profile and looks after it. Each loads its code when it runs. */
export function addProfileCommands(program: Command): void {
  program
    .command('init')
    .description('write a brand.json with two example claims, keys and .env')
    .argument('[directory]', 'where to write them', '.')
    .option('--name <name>', 'name of the brand; asked for when missing')
    .option('--url <url>', 'its public origin; asked for when missing')
    .option('--language <tag>', 'language of the profile: es, en, pt-BR; asked for when missing')
    .addOption(
      new Option('--actions <choice>', 'what people can send to the team; asked for when missing').choices(ACTIONS),
    )
    .addOption(
      new Option('--from <format>', 'also write the examples as a sheet or a text to fill in').choices(FORMATS),
    )
    .option('--alg <algorithm>', 'ES256 or EdDSA', 'ES256')
    .option('--force', 'overwrite what is there')
    .action(async (directory: string, options) => {
      process.exitCode = await (await import('../../owner/commands/init.ts')).init({ directory, ...options }, process);
    });

  program
    .command('draft')
    .description('draft claims from pages, a site, Markdown, Word or PDF')
    .argument('<source...>', 'files, folders or addresses')
    .option('--brand <file>', 'the profile that takes them; made where it is not there', 'brand.json')
    .option('--questions <file>', 'takes the questions of a FAQ; default: questions.jsonl beside the profile')
    .option('--name <name>', 'name of a new brand; default: what a page says')
    .option('--url <url>', 'its public origin; default: the address that was read')
    .option('--language <tag>', 'language of the sources; default: what they say')
    .option('--pages <number>', 'pages of a site that are read at most', wholeNumber(1, 1000), 40)
    .option('--allow-private', 'also read addresses of this machine and of its network')
    .action(async (sources: string[], options) => {
      const { draft } = await import('../../owner/commands/draft.ts');
      process.exitCode = await draft(sources, { ...options, embedder: await embedderInUse() }, process);
    });

  program
    .command('schema')
    .description('print the JSON Schema of brand.json, for editors')
    .action(async () => {
      const { profileJsonSchema } = await import('../../brand/profile/json-schema.ts');
      writeJson(process.stdout, profileJsonSchema());
    });

  program
    .command('import')
    .description('put the claims of a sheet or text into a profile; faults are named by row')
    .argument('<file>', 'a .csv, .tsv, .xlsx, .md or .yaml; headings in English or Spanish')
    .option('--brand <file>', `the profile that takes them; ${DEFAULT_BRAND}`)
    .option('--replace', 'drop the claims and proofs that the file does not have')
    .addOption(
      new Option('--on-conflict <side>', 'whose value counts where both changed a cell since the export').choices(
        SIDES,
      ),
    )
    .option('--dry-run', 'say what would happen, and write nothing')
    .action(async (file: string, options) => {
      const { importClaims } = await import('../../owner/commands/import.ts');
      const brand = await brandToChange(options.brand);
      process.exitCode = await importClaims(file, { ...options, brand, embedder: await embedderInUse() }, process);
    });

  program
    .command('export')
    .description('write the claims as a sheet or text that import reads, or as a web page')
    .argument('[file]', 'a .csv, .tsv, .xlsx, .md or .yaml')
    .option('--brand <file>', `the profile; ${DEFAULT_READ}`)
    .option('--html <file>', 'also write a page of all claims, with their questions and the signature')
    .option('--force', 'overwrite the file')
    .action(async (file: string | undefined, options) => {
      const { file: brand } = await brandToRead(options.brand);
      const { exportClaims } = await import('../../owner/commands/export.ts');
      process.exitCode = await exportClaims(file, { ...options, brand }, process);
    });

  program
    .command('check')
    .description('list every fault of a profile with its line and fix, and warnings')
    .argument('[file]', `a brand.json, in any state; ${DEFAULT_READ}`)
    .option('--jwks <file>', 'public keys to hold the signature against; default: those beside the file')
    .option('--strict', 'warnings count as faults')
    .option('--json', 'print the result as JSON')
    .action(async (named: string | undefined, options) => {
      const { file, jwks } = await brandToRead(named);
      const { check } = await import('../../owner/commands/check.ts');
      process.exitCode = await check(file, { jwks, ...options, embedder: await embedderInUse() }, process);
    });

  program
    .command('studio')
    .description('write, measure and sign a profile in a local browser')
    .argument('[file]', `a brand.json, in any state; ${DEFAULT_BRAND}`)
    .option('--questions <file>', 'questions of your own; default: questions.jsonl beside the profile')
    .option('--key <file>', 'the private key that signs; default: FILE.key.json beside FILE.json')
    .option('--port <number>', 'port to listen on; default: any that is free', wholeNumber(0, 65_535), 0)
    .action(async (named: string | undefined, options) => {
      const file = await brandToChange(named);
      const { readConfig } = await import('../config/config.ts');
      const { readAskedOnce } = await import('../admin/ask-log.ts');
      const config = readConfig(process.env);
      const readAsked = (sinceMs: number) => readAskedOnce(config, sinceMs);
      const { studio } = await import('../../owner/commands/studio.ts');
      process.exitCode = await studio(file, { ...options, embedding: config.embedding, readAsked }, process);
    });

  program
    .command('eval')
    .description('measure whether your questions find your claims')
    .requiredOption(
      '--questions <file>',
      'JSON lines, CSV or XLSX: query, claim ids (spaces, commas or semicolons between), language, kind',
    )
    .option('--brand <file>', `the profile; ${DEFAULT_READ}`)
    .option('--compare <file>', 'a second profile to set beside it')
    .option(
      '--compare-model <model>',
      'a second embedding model to set beside the one in use; table: the same without its encoder',
    )
    .option('--min-r1 <share>', 'end with 1 where R@1 is below, for continuous integration', share)
    .option('--json', 'print the result as JSON')
    .action(async options => {
      const { file: brand, environment } = await brandToRead(options.brand);
      const { readConfig } = await import('../config/config.ts');
      const { embedding } = readConfig(environment);
      const { evaluate } = await import('../../owner/commands/eval.ts');
      process.exitCode = await evaluate({ ...options, brand, embedding }, process);
    });

  program
    .command('report')
    .description('show what was asked (ASK_LOG) or answered weakly, and unused claims')
    .option('--brand <file>', `the profile; ${DEFAULT_READ}`)
    .option('--since <days>', 'for example 30d', days, 30)
    .option('--html <file>', 'also write a page that needs no network')
    .option('--csv <file>', 'also write the groups of questions as a table')
    .option('--draft <file>', 'also write a sheet with a row to fill in for each weak group')
    .option('--force', 'overwrite these files')
    .action(async ({ since, brand, ...options }) => {
      const { file: brandFile, environment } = await brandToRead(brand);
      const { readConfig } = await import('../config/config.ts');
      const { loadModel } = await import('../../brand/retrieval/load-embedder.ts');
      const { readAskedOnce } = await import('../admin/ask-log.ts');
      const config = readConfig(environment);
      const model = await loadModel(config.embedding);
      const readAsked = (sinceMs: number) => readAskedOnce(config, sinceMs);
      const parts = { ...options, sinceDays: since, brandFile, readAsked, model };
      process.exitCode = await (await import('../../owner/commands/report.ts')).report(parts, process);
    });
}

function days(text: string): number {
  const [, digits] = /^([1-9]\d{0,3})d?$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('It is a number of days, like 30d.');
  return Number(digits);
}

const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It is a number up to ${most}.`);
};

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It is a share between 0 and 1.');
  return value;
}

/** The model that the settings name, which tells claims that say the same. */
async function embedderInUse(): Promise<Embedder> {
  const { loadEmbedder } = await import('../../brand/retrieval/load-embedder.ts');
  const { readConfig } = await import('../config/config.ts');
  return (await loadEmbedder(readConfig(process.env).embedding)).embedder;
}
