import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import type { Embedder } from '../../brand/retrieval/embedder.ts';
import { counted } from '../../tools/language/counts.ts';
import { languageOf } from '../../tools/language/language-of.ts';
import { readDraft } from '../check/check-profile.ts';
import { EXAMPLE_CLAIM } from '../check/new-profile.ts';
import { addQuestions, addSources, addStubs, type DraftedProfile } from '../drafts/draft-profile.ts';
import { readSources } from '../drafts/read-sources.ts';
import type { About, Reading } from '../drafts/readers/reading.ts';
import { type Drafted, draftStubs } from '../drafts/stubs.ts';
import { exists, putFile, readIfThere, replaceFile } from '../terminal/files.ts';
import { type ExitCode, writeLines } from '../terminal/output.ts';
import { ownCommand, quoted } from '../terminal/own-command.ts';
import { init } from './init.ts';

interface DraftOptions {
  /** The profile that takes the stubs; made as `aval init` makes it where it is not there. */
  readonly brand: string;
  /** JSON lines that take the questions of a FAQ; default: questions.jsonl beside the profile. */
  readonly questions?: string;
  readonly name?: string;
  readonly url?: string;
  readonly language?: string;
  readonly pages: number;
  readonly allowPrivate?: boolean;
  readonly now?: Date;
  readonly embedder?: Embedder | undefined;
}

/** Where the sources of drafted claims are kept: brand.sources.json beside brand.json. */
export const sourcesBeside = (profile: string): string => profile.replace(/(\.json)?$/, '.sources.json');

/** The questions of whoever owns a profile, beside it. */
export const questionsBeside = (profile: string): string => join(dirname(profile), 'questions.jsonl');

/**
 * `aval draft SOURCE…`: every sentence with a figure, a price, a term, a guarantee or an exclusion becomes a claim to complete, and a
 * FAQ's questions go to the questions file. Prints each new claim with its source and with what no source says.
 * @throws DraftError for a source, Error for a file that cannot be written
 */
export async function draft(
  sources: readonly string[],
  options: DraftOptions,
  terminal: Parameters<typeof init>[1],
): Promise<ExitCode> {
  const { brand, pages, allowPrivate = false, embedder } = options;
  const { stdout, stderr } = terminal;
  const note = (message: string) => writeLines(stderr, [message]);
  const readings = await readSources(sources, { pages, allowPrivate, note });
  const about: About = Object.assign({}, ...readings.map(({ about }) => about).toReversed());
  const language = options.language ?? about.language?.split('-')[0] ?? languageIn(readings);
  const drafted = await draftStubs(readings, language, embedder);
  if (!(await exists(brand))) await begin(options, { about, language, address: sources.find(isAddress) }, terminal);
  const existing = readStrictJson(await readFile(brand));
  const profile = addStubs(existing, drafted, { about, isExample: id => id.startsWith(EXAMPLE_CLAIM) });
  const questions = await keepQuestions(options.questions ?? questionsBeside(brand), drafted, { ...profile, language });
  await keep(sourcesBeside(brand), text => json(addSources(text === '' ? {} : JSON.parse(text), profile.idOf)));
  await replaceFile(brand, json(profile.document));
  writeLines(stdout, claimLines(profile, drafted));
  writeLines(stderr, [
    `${counted(readings.length, 'source')}: ${counted(profile.added.length, 'new claim')}, ${counted(drafted.folded, 'repeated sentence')}, ${counted(questions, 'question')}`,
    `Next: ${ownCommand().here} studio ${quoted(brand)}`,
  ]);
  return 0;
}

const isAddress = (source: string) => /^https?:\/\//i.test(source);
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function languageIn(readings: readonly Reading[]): string {
  const text = readings.flatMap(({ blocks }) => blocks.slice(0, 200).map(({ text }) => text)).join(' ');
  return languageOf(text) === 'en' ? 'en' : 'es';
}

interface Known {
  readonly about: About;
  readonly language: string;
  readonly address: string | undefined;
}

/** A new profile with its keys. What neither an option nor a source says is asked for. */
async function begin(options: DraftOptions, { about, language, address }: Known, terminal: Parameters<typeof init>[1]) {
  const { brand, name = about.name, url = address && new URL(address).origin, now } = options;
  const silent = { write: () => true };
  const quiet = name && url ? { ...terminal, stdout: silent, stderr: silent } : terminal;
  const directory = dirname(brand);
  await init({ directory, ...(name && { name }), ...(url && { url }), language, ...(now && { now }) }, quiet);
}

async function keepQuestions(
  file: string,
  { questions }: Drafted,
  known: Pick<DraftedProfile, 'idOf'> & { readonly language: string },
): Promise<number> {
  let added = 0;
  await keep(file, existing => {
    const made = addQuestions(existing, questions, known);
    added = made.added;
    return made.text;
  });
  return added;
}

/** Writes a file anew from what it holds; one that stays empty is not made. */
async function keep(file: string, next: (text: string) => string): Promise<void> {
  const text = (await readIfThere(file))?.toString() ?? '';
  const changed = next(text);
  if (changed !== text) await putFile(file, changed);
}

/** A new claim a line: its id, where it was read, and what is missing. */
function claimLines({ document, idOf, added }: DraftedProfile, { stubs }: Drafted): string[] {
  const fresh = new Set(added);
  const whole = new Set(readDraft(document).claims.map(({ part }) => part.claim_id));
  return stubs.flatMap(stub => {
    const id = idOf.get(stub) ?? '';
    if (!fresh.has(id) || whole.has(id)) return [];
    const missing = [...(stub.category === undefined ? ['category'] : []), 'boundary', 'confidence'];
    return [`${id}: ${stub.sources.join('; ')}: is missing: ${missing.join(', ')}`];
  });
}
