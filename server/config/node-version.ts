import { createRequire } from 'node:module';

const { engines } = createRequire(import.meta.url)('#package/package.json');

/**
 * Ends the process with one line if this Node is too old; imports would fail with a SyntaxError of another
 * file. Call it before other imports.
 */
export function refuseOldNode(version: string = process.versions.node): void {
  const [needed = ''] = /[\d.]+/.exec(engines.node) ?? [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  process.stderr.write(
    `aval: needs Node ${needed} or newer, and this is ${version}; https://nodejs.org has it\n`,
  );
  process.exit(1);
}
