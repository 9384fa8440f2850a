#!/usr/bin/env node
import { CommanderError } from 'commander';
import { program } from './cli/commands.ts';

// A reader that has seen enough, as in aval doctor | head, ends the command without a word.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit();
  throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  // What commander throws it has already said.
  if (!(error instanceof CommanderError)) process.stderr.write(`aval: ${messageOf(error)}\n`);
  const saidHelp = error instanceof CommanderError && error.exitCode === 0;
  process.exitCode = saidHelp ? 0 : 2;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
