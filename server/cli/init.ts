import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PROFILE_SCHEMA_PATH, profileJsonSchema } from '../../brand/profile/json-schema.ts';
import { readProfile } from '../../brand/profile/profile.ts';
import { isWebAddress } from '../../brand/profile/web-address.ts';
import { signedText } from '../../brand/trust/signature.ts';
import { createFile, exists, OWNER_ONLY, READABLE } from '../../owner/files.ts';
import { makeKey } from '../../owner/key-files.ts';
import { type ActionsChoice, newProfile, promiseOf } from '../../owner/new-profile.ts';
import { commandLine, type ExitCode, type Output, quoted, writeLines } from '../../owner/output.ts';

interface InitOptions {
  readonly directory: string;
  readonly name: string;
  readonly url: string;
  readonly language?: string;
  readonly actions?: ActionsChoice;
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
 * `aval init`: writes a signed profile with two example claims, its keys and settings, and prints their
 * names.
 * @throws Error if one of the files exists or for a wrong option, ProfileError for a bad one
 */
export async function init(options: InitOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const { directory, name, url, language = 'es', actions = 'consultancy', now = new Date() } = options;
  if (!isWebAddress(url))
    throw new Error('--url: that is no web address: it begins with https://, like https://acme.example');
  const path = (file: string) => join(directory, file);
  const files = Object.values(FILES).map(path);
  await refuseExisting(files);
  const document = newProfile({ name, url, language, now, actions });
  readProfile(new TextEncoder().encode(JSON.stringify(document)));
  await mkdir(directory, { recursive: true });
  const key = await makeKey({ key: path(FILES.key), jwks: path(FILES.jwks) });
  await createFile(path(FILES.profile), await signedText(document, [key]), READABLE);
  await mkdir(dirname(path(FILES.schema)), { recursive: true });
  await createFile(path(FILES.schema), `${JSON.stringify(profileJsonSchema(), null, 2)}\n`, READABLE);
  await createFile(path(FILES.settings), settings(url), OWNER_ONLY);
  writeLines(stdout, files);
  writeLines(stderr, [promiseOf(document), ...nextSteps(path)]);
  return 0;
}

async function refuseExisting(paths: readonly string[]): Promise<void> {
  const existing: string[] = [];
  for (const path of paths) if (await exists(path)) existing.push(path);
  if (existing.length > 0)
    throw new Error(`${existing.join(', ')}: there already; move it away, or name another folder`);
}

const settings = (url: string) => `# Settings of the server; aval serve --help lists them all.
BRAND_FILE=${FILES.profile}
BRAND_JWKS=${FILES.jwks}
BASE_URL=${new URL(url).origin}
`;

/** The next commands, with paths from the current folder. */
function nextSteps(path: (file: string) => string): string[] {
  const profile = path(FILES.profile);
  const key = path(FILES.key);
  const sheet = path('claims.csv');
  const files = `BRAND_FILE=${quoted(profile)} BRAND_JWKS=${quoted(path(FILES.jwks))}`;
  return [
    '1. Replace the description, the two examples and their questions with yours: ' +
      `in ${profile}, or the claims in a spreadsheet:`,
    `   ${commandLine('csv', 'export', sheet, '--brand', profile)}, ` +
      `and back with ${commandLine('csv', 'import', sheet, '--brand', profile)}`,
    `2. ${commandLine('check', profile)}`,
    `3. ${commandLine('sign', profile)}`,
    `4. ${files} ${commandLine('serve')}`,
    `Keep ${key} off the server and out of version control: who has it signs in your name.`,
  ];
}
