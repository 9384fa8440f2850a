import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { readBounded } from '../../brand/profile/read-bounded.ts';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import type { Embedder } from '../../brand/retrieval/embedder.ts';
import { checkProfile, type Finding } from '../check/check-profile.ts';
import { neverPublishBeside } from '../check/never-publish.ts';
import { EXAMPLE_CLAIM } from '../check/new-profile.ts';
import { formatOf, MAX_IMPORT_BYTES } from '../exchange/formats.ts';
import { ExchangeError, type Imported as FromFile } from '../exchange/imported.ts';
import { changeLines, changesBetween } from '../guards/changes.ts';
import { importWords } from '../importing/import-words.ts';
import type { Imports, Side } from '../merge/edited-twice.ts';
import { type Merged, mergeInto } from '../merge/merge.ts';
import { createFile, READABLE, readIfThere, replaceFile } from '../terminal/files.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';
import { ownCommand } from '../terminal/own-command.ts';

interface ImportOptions {
  /** The profile that takes the claims. */
  readonly brand: string;
  /** Claims and proofs that the file does not have are dropped. */
  readonly replace?: boolean;
  /** Whose value counts where the file and the profile both changed a cell since the export; absent: each is told. */
  readonly onConflict?: Side;
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
 * what it was, and each cell that somebody changed in the profile since the export. 1 where the file has a fault or a conflict: then
 * nothing is written.
 * @throws ExchangeError for a file that cannot be read, JsonError or Error for the profile
 */
export async function importClaims(
  file: string,
  options: ImportOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { brand, replace, dryRun, onConflict: side, now = new Date(), embedder } = options;
  const existing = await readProfileText(brand);
  const imported = await readImported(file);
  const size = imported.claims.length + imported.proofs.length;
  if (size >= WORTH_A_WORD) stderr.write(`${size} rows read; looking at them…\n`);
  const isExample = (id: string) => id.startsWith(EXAMPLE_CLAIM);
  const before = readStrictJson(existing);
  const imports = await readImports(importsBeside(brand));
  const merged = mergeInto(before, imported, { replace, isExample, side, imports });
  const text = `${JSON.stringify(merged.document, null, 2)}\n`;
  const report = await checkProfile(new TextEncoder().encode(text), {
    ...{ now, embedder },
    neverPublish: await neverPublishBeside(brand),
  });
  const words = importWords({ file, brand, language: String(merged.document.language ?? '') });
  const line = words.findings(imported);
  const faults = [
    ...imported.faults.map(words.fault),
    ...report.faults.filter(fromFile).map(line('fault')),
    ...merged.conflicts.map(words.conflict),
  ];
  const all = changesBetween(before, merged.document);
  const touched = new Set(all.flatMap(({ part, kind }) => (kind === 'removed' ? [] : [part])));
  const warnings = report.warnings.filter(fromFile);
  const fresh = warnings.filter(({ path }) => touched.has(partAt(merged.document, path)));
  if (!dryRun && faults.length === 0) {
    await replaceFile(brand, text);
    if (Object.keys(merged.imports).length > 0)
      await createFile(importsBeside(brand), `${JSON.stringify(merged.imports)}\n`, { mode: READABLE, force: true });
  }
  writeLines(stdout, [...faults, ...fresh.map(line('warning'))]);
  // A claim of aval init gives way without a word.
  const changes = all.filter(({ kind, part }) => kind !== 'added' && !part.startsWith(`claim ${EXAMPLE_CLAIM}`));
  writeLines(stderr, [
    ...imported.notes,
    ...changeLines(changes),
    ...words.summary({
      ...{ merged, imported, dryRun: dryRun === true },
      faults: faults.length - merged.conflicts.length,
      oldWarnings: warnings.length - fresh.length,
    }),
  ]);
  return faults.length > 0 ? 1 : 0;
}

/** What each export has brought in: beside FILE.json the file FILE.imports.json. */
const importsBeside = (brand: string) => brand.replace(/(\.json)?$/, '.imports.json');

const Imported = z.record(z.string(), z.record(z.string(), z.string()));

/** What earlier imports have brought in; nothing where the file is missing or damaged, which only makes conflicts more likely. */
async function readImports(path: string): Promise<Imports> {
  const bytes = await readFile(path).catch(() => new Uint8Array());
  try {
    return Imported.parse(readStrictJson(bytes));
  } catch {
    return {};
  }
}

async function readProfileText(brand: string): Promise<Uint8Array> {
  const bytes = await readIfThere(brand);
  if (bytes) return bytes;
  throw new Error(
    `${brand} is not there: ${ownCommand().here} init writes one to import into, or name yours with --brand`,
  );
}

async function readImported(file: string): Promise<FromFile> {
  const { read } = formatOf(file);
  const bytes = await readBounded(file, MAX_IMPORT_BYTES);
  try {
    return await read(bytes);
  } catch (error) {
    throw error instanceof ExchangeError ? new ExchangeError(`${file}: ${error.message}`, { cause: error }) : error;
  }
}

/** `claim clm-price` for a path in it, as `changesBetween` names parts. */
function partAt(document: Merged['document'], path: string): string {
  const [, list = '', at = ''] = /^(claims|proofs)\[(\d+)\]/.exec(path) ?? [];
  const kind = list === 'claims' ? 'claim' : 'proof';
  const { data } = z.array(z.looseObject({ [`${kind}_id`]: z.string() })).safeParse(document[list]);
  return `${kind} ${data?.[Number(at)]?.[`${kind}_id`]}`;
}

/** A signature and an expiry are no matter of a sheet. */
const fromFile = ({ path }: Finding) => /^(?:claims|proofs)\b/.test(path);
