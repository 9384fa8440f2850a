#!/usr/bin/env node
import { refuseOldNode } from './config/node-version.ts';

refuseOldNode();
const [{ CommanderError }, { program }] = await Promise.all([import('commander'), import('./cli/commands.ts')]);

// A reader that has seen enough, as in `aval doctor | head`, ends the command without a word; a full disk stays a fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', error => {
    if (!('code' in error && error.code === 'EPIPE')) throw error;
    if (stream === process.stdout) process.exit();
  });
}

try {
  await program.parseAsync();
} catch (error) {
  // What commander throws it has already said.
  if (!(error instanceof CommanderError)) {
    const { messageOf } = await import('../owner/terminal/error-message.ts');
    process.stderr.write(`aval: ${messageOf(error)}\n`);
  }
  const saidHelp = error instanceof CommanderError && error.exitCode === 0;
  process.exitCode = saidHelp ? 0 : 2;
}
