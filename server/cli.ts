#!/usr/bin/env node
import { program } from './commands.ts';

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`aval: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}
