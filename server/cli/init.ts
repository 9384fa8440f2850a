import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PROFILE_SCHEMA_PATH, profileJsonSchema } from '../../brand/profile/json-schema.ts';
import { readProfile } from '../../brand/profile/profile.ts';
import { signedText } from '../../brand/trust/signature.ts';
import { createFile, exists, OWNER_ONLY, plainFolder, READABLE } from '../../owner/files.ts';
import { makeKey } from '../../owner/key-files.ts';
import { ACTIONS_CHOICES, newProfile, promisesOf } from '../../owner/new-profile.ts';
import { type ExitCode, writeLines } from '../../owner/output.ts';
import { ownCommand, quoted } from '../../owner/own-command.ts';
import { answersTo, type Terminal } from '../../owner/terminal-questions.ts';

interface InitOptions {
  readonly directory: string;
  readonly name?: string;
  readonly url?: string;
  readonly language?: string;
  readonly actions?: string;
  readonly force?: boolean;
  readonly now?: Date;
}

const FILES = {
  profile: 'brand.json',
  jwks: 'brand.jwks.json',
  key: 'brand.key.json',
  settings: '.env',
  schema: PROFILE_SCHEMA_PATH.slice(1),
};

/**
 * `aval init`: a profile with two example claims, signed, with its keys and settings. Asks for what no option
 * says where a person sits at the terminal. Prints the files it wrote.
 * @throws Error where one of the files is there already (without `force`) or an answer is missing,
 * ProfileError for a bad one
 */
export async function init(options: InitOptions, terminal: Terminal): Promise<ExitCode> {
  const { directory, force, now = new Date() } = options;
  const path = (file: string) => join(directory, file);
  const files = Object.values(FILES).map(path);
  if (!force) await refuseExisting(files);
  const answers = await answersTo(QUESTIONS, options, terminal);
  const answer = (option: (typeof QUESTIONS)[number]['option']) => answers.get(option) ?? '';
  const document = newProfile({
    name: answer('name'),
    url: answer('url'),
    language: answer('language'),
    now,
    actions: ACTIONS_CHOICES.find(choice => choice === answer('actions')) ?? 'consultancy',
  });
  readProfile(new TextEncoder().encode(JSON.stringify(document)));
  await mkdir(directory, { recursive: true });
  const key = await makeKey({ key: path(FILES.key), jwks: path(FILES.jwks), force });
  await createFile(path(FILES.profile), await signedText(document, [key]), { mode: READABLE, force });
  await plainFolder(dirname(path(FILES.schema)));
  await createFile(path(FILES.schema), `${JSON.stringify(profileJsonSchema(), null, 2)}\n`, {
    mode: READABLE,
    force,
  });
  await createFile(path(FILES.settings), settings(answer('url')), { mode: OWNER_ONLY, force });
  writeLines(terminal.stdout, files);
  writeLines(terminal.stderr, [...promisesOf(document), ...nextSteps(path)]);
  return 0;
}

async function refuseExisting(paths: readonly string[]): Promise<void> {
  const existing: string[] = [];
  for (const path of paths) if (await exists(path)) existing.push(path);
  if (existing.length > 0)
    throw new Error(`${existing.join(', ')}: there already; aval init --force replaces it`);
}

const QUESTIONS = [
  {
    option: 'name',
    text: 'Name of the brand',
    fallback: '',
    fault: (name: string) => (name.length > 200 ? 'At most 200 characters.' : undefined),
  },
  { option: 'url', text: 'Its web address, like https://acme.example', fallback: '', fault: addressFault },
  {
    option: 'language',
    text: 'Language of the profile (es, en, pt-BR)',
    fallback: 'es',
    fault: languageFault,
  },
  {
    option: 'actions',
    text:
      'What people can send to you ' +
      '(none, contact: one form, consultancy: a diagnostic and a partner program)',
    fallback: 'consultancy',
    fault: actionsFault,
  },
] as const;

function addressFault(url: string): string | undefined {
  if (/^https?:\/\/\S+$/.test(url) && URL.canParse(url)) return undefined;
  return 'That is no web address: it begins with https://, like https://acme.example.';
}

function languageFault(tag: string): string | undefined {
  // A word like "castellano" has the form of a tag; those in use have two or three letters before the first
  // dash.
  if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag)) return undefined;
  return 'That is no language tag: es is Spanish, en English, pt-BR Brazilian Portuguese.';
}

function actionsFault(choice: string): string | undefined {
  if (ACTIONS_CHOICES.some(name => name === choice)) return undefined;
  return `That is none of ${ACTIONS_CHOICES.join(', ')}.`;
}

const settings = (url: string) => `# Settings of the server; aval serve --help lists them all.
BRAND_FILE=${FILES.profile}
BRAND_JWKS=${FILES.jwks}
BASE_URL=${new URL(url).origin}
`;

/** Commands that work as typed, from where this one was started and in the way it was. */
function nextSteps(path: (file: string) => string): string[] {
  const aval = ownCommand();
  const profile = quoted(path(FILES.profile));
  const key = quoted(path(FILES.key));
  const directory = quoted(path('.'));
  const sheet = quoted(path('claims.csv'));
  const enter = directory === '.' ? '' : `cd ${directory} && `;
  return [
    '1. Replace the description, the two examples and their questions with yours: ' +
      `in ${profile}, or the claims in a spreadsheet:`,
    `   ${aval.here} csv export ${sheet} --brand ${profile}, ` +
      `and back with ${aval.here} csv import ${sheet} --brand ${profile}`,
    `2. ${aval.here} check ${profile}`,
    `3. ${aval.here} sign ${profile} --key ${key}`,
    `4. ${enter}${aval.withSettings(FILES.settings)} serve`,
    `Keep ${key} off the server and out of version control: who has it signs in your name.`,
  ];
}
