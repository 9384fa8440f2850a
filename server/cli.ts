#!/usr/bin/env node
import { refuseOldNode } from './config/node-version.ts';

refuseOldNode();
const [{ CommanderError }, { addSettingsHelp, program }, { insteadOf }] = await Promise.all([
  import('commander'),
  import('./cli/commands.ts'),
  import('./cli/retired.ts'),
]);

// A reader that has seen enough, as in `aval doctor | head`, ends the command without a word; a full disk stays a fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', error => {
    if (!('code' in error && error.code === 'EPIPE')) throw error;
    if (stream === process.stdout) process.exit();
  });
}

const words = process.argv.slice(2);
const instead = insteadOf(words);
try {
  if (instead !== undefined) throw new Error(instead);
  if (words.includes('serve')) await addSettingsHelp();
  await program.parseAsync();
} catch (error) {
  // What commander throws it has already said.
  if (!(error instanceof CommanderError)) {
    const { messageOf } = await import('../owner/error-message.ts');
    process.stderr.write(`aval: ${messageOf(error)}\n`);
  }
  const saidHelp = error instanceof CommanderError && error.exitCode === 0;
  process.exitCode = saidHelp ? 0 : 2;
}
