import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { newProfile } from '../../../brand/profile/new-profile.ts';
import { readProfile } from '../../../brand/profile/profile.ts';
import { type Algorithm, createPrivateKey } from '../../../brand/trust/keys.ts';
import { signedText } from '../../../brand/trust/signature.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';
import { createFile, OWNER_ONLY, READABLE } from './files.ts';
import { writeKeyPair } from './key-files.ts';

interface InitOptions {
  /** Where the files go; made where it is not there. */
  readonly directory: string;
  readonly name?: string;
  readonly url?: string;
  readonly language?: string;
  readonly alg?: Algorithm;
  /** Replaces the files that are there. */
  readonly force?: boolean;
  readonly now?: Date;
}

/** What `aval init` needs of a terminal; `process` is one. */
interface Terminal extends Output {
  readonly stdin: Readable & { readonly isTTY?: boolean };
}

const FILES = { profile: 'brand.json', jwks: 'brand.jwks.json', key: 'brand.key.json', settings: '.env' };

/**
 * `aval init`: a profile with two example claims, signed, with its keys and settings. Asks for what no option says where a
 * person sits at the terminal. Prints the files it wrote.
 * @throws Error where one of the files is there already (without `force`) or an answer is missing, ProfileError for a bad one
 */
export async function init(options: InitOptions, terminal: Terminal): Promise<ExitCode> {
  const { directory, force, now = new Date() } = options;
  if (!force) await refuseExisting(directory);
  const answers = await complete(options, terminal);
  const document = newProfile({ ...answers, now });
  readProfile(new TextEncoder().encode(JSON.stringify(document)));
  const pair = await createPrivateKey(options.alg);
  const path = (file: string) => join(directory, file);
  await mkdir(directory, { recursive: true });
  await writeKeyPair(pair, { key: path(FILES.key), jwks: path(FILES.jwks), force });
  await createFile(path(FILES.profile), await signedText(document, [pair]), { mode: READABLE, force });
  await createFile(path(FILES.settings), settings(answers.url), { mode: OWNER_ONLY, force });
  writeLines(terminal.stdout, Object.values(FILES).map(path));
  writeLines(terminal.stderr, nextSteps(path));
  return 0;
}

async function refuseExisting(directory: string): Promise<void> {
  const paths = Object.values(FILES).map(file => join(directory, file));
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

const QUESTIONS = [
  { option: 'name', text: 'Name of the brand', fallback: '' },
  { option: 'url', text: 'Its web address, like https://acme.example', fallback: '' },
  { option: 'language', text: 'Language of the profile', fallback: 'es' },
] as const;

async function complete(options: InitOptions, { stdin, stderr }: Terminal): Promise<Answers> {
  const answers = { name: options.name ?? '', url: options.url ?? '', language: options.language ?? '' };
  const terminal = stdin.isTTY && Object.values(answers).includes('') ? createInterface({ input: stdin }) : undefined;
  // Lines, not `question`, which never settles when the input ends.
  const lines = terminal?.[Symbol.asyncIterator]();
  try {
    for (const { option, text, fallback } of QUESTIONS) {
      if (answers[option] === '' && lines) {
        stderr.write(`${text}${fallback === '' ? '' : ` [${fallback}]`}: `);
        answers[option] = String((await lines.next()).value ?? '').trim();
      }
      answers[option] ||= fallback;
      if (answers[option] === '') throw new Error(`--${option} is missing: ${text.toLowerCase()}`);
    }
  } finally {
    terminal?.close();
  }
  return answers;
}

function settings(url: string): string {
  return `# Settings of the server; "aval variables" lists them all.
BRAND_FILE=${FILES.profile}
BRAND_JWKS=${FILES.jwks}
BASE_URL=${new URL(url).origin}
`;
}

const CLI = fileURLToPath(import.meta.resolve('#package/dist/server/cli.js'));

function nextSteps(path: (file: string) => string): string[] {
  return [
    `1. Replace the two examples in ${path(FILES.profile)} with claims of yours.`,
    `2. aval check ${path(FILES.profile)}`,
    `3. aval sign ${path(FILES.profile)} --key ${path(FILES.key)}`,
    `4. cd ${path('.')} && node --env-file=${FILES.settings} ${CLI} serve`,
    `Keep ${path(FILES.key)} off the server and out of version control: who has it signs in your name.`,
  ];
}
