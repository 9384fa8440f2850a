#!/usr/bin/env node
import { CommanderError } from 'commander';
import { program } from './cli/commands.ts';

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
