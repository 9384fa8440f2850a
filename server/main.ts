import { refuseOldNode } from './config/node-version.ts';

refuseOldNode();
// Before anything is loaded, since SIGHUP, which reloads the profile, would end a process that does not
// listen to it yet.
process.on('SIGHUP', () => {});

try {
  const { serve } = await import('./cli/serve.ts');
  await serve(process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
