import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Embedder } from '../../brand/embedding/embedder.ts';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import { isMissing } from '../../brand/profile/thrown.ts';
import { counted } from '../../tools/language/counts.ts';
import { checkProfile, type Finding } from '../check/check-profile.ts';
import { neverPublishBeside } from '../check/never-publish.ts';
import { EXAMPLE_CLAIM } from '../check/new-profile.ts';
import { COLUMNS } from '../exchange/columns.ts';
import { formatOf, MAX_IMPORT_BYTES } from '../exchange/formats.ts';
import { ExchangeError, type Imported } from '../exchange/imported.ts';
import { type Merged, mergeInto } from '../exchange/merge.ts';
import { changeLines, changesBetween } from '../guards/changes.ts';
import { replaceFile } from '../terminal/files.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';
import { ownCommand, quoted } from '../terminal/own-command.ts';

interface ImportOptions {
  /** The profile that takes the claims. */
  readonly brand: string;
  /** Claims and proofs that the file does not have are dropped. */
  readonly replace?: boolean;
  /** Says what would happen, and writes nothing. */
  readonly dryRun?: boolean;
  readonly now?: Date;
  readonly embedder?: Embedder | undefined;
}

/** Below this many rows an import is over before anybody wonders. */
const WORTH_A_WORD = 2000;

/**
 * `aval import FILE`: puts the claims and proofs of a sheet or a text into a profile, keeps ids, and names every fault by its row.
 * Nothing is invented: what the file does not say is missing. It names each claim and proof that it changes or drops, with
 * what it was. 1 where the file has a fault: then nothing is written.
 * @throws ExchangeError for a file that cannot be read, JsonError or Error for the profile
 */
export async function importClaims(
  file: string,
  options: ImportOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { brand, replace, dryRun, now = new Date(), embedder } = options;
  const existing = await readProfileText(brand);
  const imported = await readImported(file);
  const size = imported.claims.length + imported.proofs.length;
  if (size >= WORTH_A_WORD) stderr.write(`${size} rows read; looking at them…\n`);
  const isExample = (id: string) => id.startsWith(EXAMPLE_CLAIM);
  const before = readStrictJson(existing);
  const merged = mergeInto(before, imported, { replace, isExample });
  const text = `${JSON.stringify(merged.document, null, 2)}\n`;
  const report = await checkProfile(new TextEncoder().encode(text), {
    ...{ now, embedder },
    neverPublish: await neverPublishBeside(brand),
  });
  const place = placesOf(file, imported);
  const faults = [
    ...imported.faults.map(fault => `${basename(file)}: fault: ${fault}`),
    ...report.faults.filter(fromFile).map(place('fault')),
  ];
  if (!dryRun && faults.length === 0) await replaceFile(brand, text);
  writeLines(stdout, [...faults, ...report.warnings.filter(fromFile).map(place('warning'))]);
  // A claim of aval init gives way without a word.
  const changes = changesBetween(before, merged.document).filter(
    ({ kind, part }) => kind !== 'added' && !part.startsWith(`claim ${EXAMPLE_CLAIM}`),
  );
  writeLines(stderr, [
    ...imported.notes,
    ...changeLines(changes),
    ...summary(file, { merged, imported, faults: faults.length, options }),
  ]);
  return faults.length > 0 ? 1 : 0;
}

async function readProfileText(brand: string): Promise<Uint8Array> {
  return readFile(brand).catch(error => {
    if (!isMissing(error)) throw error;
    throw new Error(
      `${brand} is not there: ${ownCommand().here} init writes one to import into, or name yours with --brand`,
    );
  });
}

async function readImported(file: string): Promise<Imported> {
  const { read } = formatOf(file);
  const { size } = await stat(file);
  if (size > MAX_IMPORT_BYTES) {
    throw new ExchangeError(
      `${file}: is ${megabytes(size)} MB, at most ${megabytes(MAX_IMPORT_BYTES)} are read: is it the right file?`,
    );
  }
  try {
    return await read(await readFile(file));
  } catch (error) {
    throw error instanceof ExchangeError ? new ExchangeError(`${file}: ${error.message}`, { cause: error }) : error;
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

/** A signature and an expiry are no matter of a sheet. */
const fromFile = ({ path }: Finding) => /^(?:claims|proofs)\b/.test(path);

/** A finding with the row and the heading where it is mended. */
function placesOf(file: string, { claims, proofs }: Imported) {
  return (kind: string) =>
    ({ path, claim_id, message, fix }: Finding): string => {
      const [, part, position = '', member = ''] = /^(claims|proofs)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
      const row = (part === 'claims' ? claims : proofs)[Number(position)]?.place;
      const label = headingOf(part === 'proofs' ? 'proof' : 'claim', member) ?? member;
      const where = row === undefined ? [claim_id, path] : [row, claim_id, label];
      const help = message === 'is missing' ? 'fill in the cell' : fix;
      return `${basename(file)}: ${kind}: ${where.filter(Boolean).join(', ')}: ${message}${help ? ` (${help})` : ''}`;
    };
}

function headingOf(part: 'claim' | 'proof', member: string): string | undefined {
  const names = member.replace(/\[\d+\]/g, '').split('.');
  const inPart = COLUMNS.filter(column => column.part === part && column.path[0] === names[0]);
  const columns = inPart.filter(({ path }) => names.length === 1 || path.join('.') === names.join('.'));
  return columns.length === 0 ? undefined : columns.map(({ en, es }) => `"${en}" (${es})`).join(' and ');
}

interface Outcome {
  readonly merged: Merged;
  readonly imported: Imported;
  readonly faults: number;
  readonly options: ImportOptions;
}

function summary(file: string, { merged, imported, faults, options }: Outcome): string[] {
  const { added, changed, absent, named } = merged;
  const same = imported.claims.length - added - changed;
  const counts = `${added} new, ${changed} changed, ${same} as before`;
  const aval = ownCommand().here;
  const brand = quoted(options.brand);
  return [
    `${file}: ${counted(imported.claims.length, 'claim')} (${counts}), ${counted(imported.proofs.length, 'proof')}, ${counted(faults, 'fault')}`,
    ...(named > 0
      ? [
          `${counted(named, 'id')} made from the words; to change the words later, work on in a file that has the ids: ${aval} export NEW.csv --brand ${brand}`,
        ]
      : []),
    ...(absent.length > 0
      ? [`Kept, though the file does not have them: ${absent.join(', ')} (--replace drops them)`]
      : []),
    options.dryRun
      ? 'Nothing was written (--dry-run).'
      : faults > 0
        ? `Nothing was written. Mend the faults in ${file} and import it again.`
        : `Next: ${aval} check ${brand}, then ${aval} sign ${brand} --key KEY`,
  ];
}
