#!/usr/bin/env node
import { refuseOldNode } from './config/node-version.ts';

refuseOldNode();
const isServe = process.argv.includes('serve');
// Before anything is loaded: a reload (SIGHUP) would end a server that does not listen to it yet.
if (isServe) process.on('SIGHUP', () => {});
const { CommanderError } = await import('commander');
const { addSettingsHelp, program } = await import('./cli/commands.ts');

// A reader that has seen enough, as in `aval doctor | head`, ends the command without a word; a full disk
// stays a fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', error => {
    if (!('code' in error && error.code === 'EPIPE')) throw error;
    if (stream === process.stdout) process.exit();
  });
}

try {
  if (isServe) await addSettingsHelp();
  await program.parseAsync();
} catch (error) {
  // What commander throws it has already said.
  if (!(error instanceof CommanderError)) {
    const { describeError, writeLines } = await import('../owner/output.ts');
    writeLines(process.stderr, [`aval: ${describeError(error)}`]);
  }
  process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;
}
