import { access, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { PROFILE_SCHEMA_PATH, profileJsonSchema } from '../../brand/profile/json-schema.ts';
import { newProfile } from '../../brand/profile/new-profile.ts';
import { readProfile } from '../../brand/profile/profile.ts';
import { type Algorithm, createPrivateKey } from '../../brand/trust/keys.ts';
import { signedText } from '../../brand/trust/signature.ts';
import { formatOf } from '../exchange/formats.ts';
import { createFile, OWNER_ONLY, READABLE } from '../terminal/files.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';
import { ownCommand, quoted } from '../terminal/own-command.ts';
import { writeKeyPair } from './keygen.ts';

interface InitOptions {
  /** Where the files go; made where it is not there. */
  readonly directory: string;
  readonly name?: string;
  readonly url?: string;
  readonly language?: string;
  readonly alg?: Algorithm;
  /** Ending of a file to fill in: the examples as a sheet or a text, `claims.csv`. */
  readonly from?: string;
  /** Replaces the files that are there. */
  readonly force?: boolean;
  readonly now?: Date;
}

/** What `aval init` needs of a terminal; `process` is one. */
interface Terminal extends Output {
  readonly stdin: Readable & { readonly isTTY?: boolean };
}

const FILES = {
  profile: 'brand.json',
  jwks: 'brand.jwks.json',
  key: 'brand.key.json',
  settings: '.env',
  schema: PROFILE_SCHEMA_PATH.slice(1),
};

/**
 * `aval init`: a profile with two example claims, signed, with its keys and settings. Asks for what no option says where a
 * person sits at the terminal. Prints the files it wrote.
 * @throws Error where one of the files is there already (without `force`) or an answer is missing, ProfileError for a bad one
 */
export async function init(options: InitOptions, terminal: Terminal): Promise<ExitCode> {
  const { directory, force, now = new Date() } = options;
  const path = (file: string) => join(directory, file);
  const template = options.from === undefined ? undefined : path(`claims.${options.from}`);
  const files = [...Object.values(FILES).map(path), ...(template === undefined ? [] : [template])];
  if (!force) await refuseExisting(files);
  const answers = await complete(options, terminal);
  const document = newProfile({ ...answers, now });
  const { profile } = readProfile(new TextEncoder().encode(JSON.stringify(document)));
  const pair = await createPrivateKey(options.alg);
  await mkdir(directory, { recursive: true });
  await writeKeyPair(pair, { key: path(FILES.key), jwks: path(FILES.jwks), force });
  await createFile(path(FILES.profile), await signedText(document, [pair]), { mode: READABLE, force });
  await mkdir(dirname(path(FILES.schema)), { recursive: true });
  await createFile(path(FILES.schema), `${JSON.stringify(profileJsonSchema(), null, 2)}\n`, { mode: READABLE, force });
  await createFile(path(FILES.settings), settings(answers.url), { mode: OWNER_ONLY, force });
  if (template !== undefined) {
    await createFile(template, await formatOf(template).write(profile), { mode: READABLE, force });
  }
  writeLines(terminal.stdout, files);
  writeLines(terminal.stderr, nextSteps(path, template));
  return 0;
}

async function refuseExisting(paths: readonly string[]): Promise<void> {
  const found = await Promise.all(
    paths.map(path =>
      access(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  if (found.flat().length > 0) throw new Error(`${found.flat().join(', ')}: there already; --force replaces it`);
}

interface Answers {
  readonly name: string;
  readonly url: string;
  readonly language: string;
}

/** `fault`: what is wrong with an answer, in words; undefined for a good one. */
const QUESTIONS = [
  {
    option: 'name',
    text: 'Name of the brand',
    fallback: '',
    fault: (name: string) => (name.length > 200 ? 'At most 200 characters.' : undefined),
  },
  { option: 'url', text: 'Its web address, like https://acme.example', fallback: '', fault: addressFault },
  { option: 'language', text: 'Language of the profile (es, en, pt-BR)', fallback: 'es', fault: languageFault },
] as const;

function addressFault(url: string): string | undefined {
  if (/^https?:\/\/\S+$/.test(url) && URL.canParse(url)) return undefined;
  return 'That is no web address: it begins with https://, like https://acme.example.';
}

function languageFault(tag: string): string | undefined {
  // A word like "castellano" has the form of a tag; those in use have two or three letters before the first dash.
  if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag)) return undefined;
  return 'That is no language tag: es is Spanish, en English, pt-BR Brazilian Portuguese.';
}

/** The options, and what is asked for in their place; a bad answer is asked for again, a bad option is refused. */
async function complete(options: InitOptions, { stdin, stderr }: Terminal): Promise<Answers> {
  const answers = { name: options.name ?? '', url: options.url ?? '', language: options.language ?? '' };
  const terminal = stdin.isTTY && Object.values(answers).includes('') ? createInterface({ input: stdin }) : undefined;
  // Lines, not `question`, which never settles when the input ends.
  const lines = terminal?.[Symbol.asyncIterator]();
  try {
    for (const { option, text, fallback, fault } of QUESTIONS) {
      const given = answers[option].trim();
      const wrong = given === '' ? undefined : fault(given);
      if (wrong !== undefined) throw new Error(`--${option}: ${wrong}`);
      answers[option] = given || (lines ? await ask(lines, { text, fallback, fault, stderr }) : fallback);
      if (answers[option] === '') throw new Error(`--${option} is missing: ${text.toLowerCase()}`);
    }
  } finally {
    terminal?.close();
  }
  return answers;
}

interface Question extends Pick<Output, 'stderr'> {
  readonly text: string;
  readonly fallback: string;
  readonly fault: (answer: string) => string | undefined;
}

/** The first good answer; empty where the input ends before. */
async function ask(lines: AsyncIterator<string>, { text, fallback, fault, stderr }: Question): Promise<string> {
  for (;;) {
    stderr.write(`${text}${fallback === '' ? '' : ` [${fallback}]`}: `);
    const { done, value } = await lines.next();
    if (done) return '';
    const answer = value.trim() || fallback;
    if (answer !== '' && fault(answer) === undefined) return answer;
    stderr.write(`${(answer === '' ? undefined : fault(answer)) ?? 'Please type something.'}\n`);
  }
}

function settings(url: string): string {
  return `# Settings of the server; the command variables lists them all.
BRAND_FILE=${FILES.profile}
BRAND_JWKS=${FILES.jwks}
BASE_URL=${new URL(url).origin}
`;
}

/** Commands that work as typed, from where this one was started and in the way it was. */
function nextSteps(path: (file: string) => string, template?: string): string[] {
  const aval = ownCommand();
  const [profile, key, directory] = [path(FILES.profile), path(FILES.key), path('.')].map(quoted);
  const enter = directory === '.' ? '' : `cd ${directory} && `;
  return [
    `1. Replace the two examples in ${template ?? profile} with claims of yours.`,
    template === undefined
      ? `2. ${aval.here} check ${profile}`
      : `2. ${aval.here} import ${quoted(template)} --brand ${profile}`,
    `3. ${aval.here} sign ${profile} --key ${key}`,
    `4. ${enter}${aval.withSettings(FILES.settings)} serve`,
    `Keep ${key} off the server and out of version control: who has it signs in your name.`,
  ];
}
