#!/usr/bin/env node
import { refuseOldNode } from './config/node-version.ts';

refuseOldNode();
const { CommanderError } = await import('commander');
const { addSettingsHelp, program } = await import('./cli/commands.ts');

/** Commands of earlier versions, and what to do instead. */
const RETIRED: Readonly<Record<string, string>> = {
  draft:
    'write the claims in a spreadsheet (aval export claims.csv, aval import claims.csv) or in aval studio',
  report: 'aval asked lists what people asked, questions without a good answer first',
  keygen: 'aval sign makes the keys where there are none; aval sign --new-key FILE makes another',
  diff: 'aval sign --since OLD shows what changed before it asks',
  'verify-answer': 'aval verify takes an answer as well as a profile',
  variables: 'aval serve --help lists the settings, and so does .env.example',
  schema: 'aval init writes schemas/brand-profile.v1.json beside the profile',
  registry: 'docs/mcp.md says how to list a server in the registry',
  embed: 'docs/website.md has the lines for your page',
  backup: 'aval outbox backup FILE',
  restore: 'aval outbox restore FILE',
  'outbox stats': '/metrics counts submissions, and aval outbox list names them',
  'outbox abandon':
    'aval outbox erase --email ADDRESS drops what a person sent; what cannot be mailed ends by itself',
  'outbox audit': 'the record of operators stays in the table audit of the database',
  'outbox purge': 'the setting RETENTION_DAYS erases what was finished longer ago',
};

// A reader that has seen enough, as in `aval doctor | head`, ends the command without a word; a full disk stays a fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', error => {
    if (!('code' in error && error.code === 'EPIPE')) throw error;
    if (stream === process.stdout) process.exit();
  });
}

const words = process.argv.slice(2);
const retired = [words.slice(0, 2).join(' '), words[0] ?? ''].find(name => Object.hasOwn(RETIRED, name));
try {
  if (retired !== undefined) throw new Error(`aval ${retired} is no command any more: ${RETIRED[retired]}`);
  if (words.includes('serve')) await addSettingsHelp();
  await program.parseAsync();
} catch (error) {
  // What commander throws it has already said.
  if (!(error instanceof CommanderError)) {
    const { messageOf } = await import('../owner/error-message.ts');
    const { writeLines } = await import('../owner/output.ts');
    writeLines(process.stderr, [`aval: ${messageOf(error)}`]);
  }
  process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;
}
