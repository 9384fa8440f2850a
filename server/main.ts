import { refuseOldNode } from './config/node-version.ts';

refuseOldNode();
// Before anything is loaded: a reload (SIGHUP) would end a server that does not listen to it yet.
process.on('SIGHUP', () => {});

try {
  const { serve } = await import('./cli/serve.ts');
  await serve(process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
