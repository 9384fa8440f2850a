import type { Command } from 'commander';
import { brandToChange, brandToRead, DEFAULT_BRAND, DEFAULT_READ } from './brand-option.ts';

/** The commands of whoever signs a profile, or verifies one. Each loads its code when it runs. */
export function addTrustCommands(program: Command): void {
  program
    .command('keygen')
    .description('make a signing key; keep the private half off the server')
    .option('--key <file>', 'private key to write', 'brand.key.json')
    .option('--jwks <file>', 'key set to add the public key to', 'brand.jwks.json')
    .option('--alg <algorithm>', 'ES256 or EdDSA', 'ES256')
    .option('--force', 'overwrite the private key')
    .action(async options => {
      process.exitCode = await (await import('../../owner/signing/keygen.ts')).keygen(options, process);
    });

  program
    .command('sign')
    .description('show what changed since the last signature, and sign')
    .argument('[file]', `a brand.json; ${DEFAULT_BRAND}`)
    .requiredOption('--key <file...>', 'private key, or several while one replaces the other')
    .option('--renew <span>', 'valid from now for so long: 1y, 6m or 90d')
    .option('--yes', 'sign without asking, for scripts')
    .action(async (named: string | undefined, { key: keys, ...options }) => {
      const file = await brandToChange(named);
      const { sign } = await import('../../owner/signing/sign.ts');
      process.exitCode = await sign(file, { ...options, keys }, process);
    });

  program
    .command('diff')
    .description('compare two versions of a profile, claim by claim')
    .argument('<before>', 'a brand.json')
    .argument('[after]', `another version of it; ${DEFAULT_READ}`)
    .option('--json', 'print the changes as JSON')
    .action(async (before: string, named: string | undefined, options) => {
      const { file: after } = await brandToRead(named);
      const { diff } = await import('../../owner/signing/diff.ts');
      process.exitCode = await diff(before, after, options, process);
    });

  program
    .command('verify')
    .description('verify signature, host and dates of a profile')
    .argument('[file|url]', `a brand.json, or the address of a site that serves one; ${DEFAULT_READ}`)
    .option('--jwks <file>', 'public keys; for a URL those of the same host')
    .option('--host <host>', 'host that the profile must be of')
    .option('--json', 'print the result as JSON')
    .action(async (named: string | undefined, options) => {
      const { file, jwks } = await brandToRead(named);
      const keys = named === undefined ? { jwks } : {};
      process.exitCode = await (await import('./verify.ts')).verify(file, { ...keys, ...options }, process);
    });

  program
    .command('verify-answer')
    .description('prove an answer verbatim in the signed profile, or name the first difference')
    .argument('<file|url|->', 'an /ask answer or an MCP result; - reads standard input')
    .option('--brand <file>', `the signed profile; for a URL that of the same host; ${DEFAULT_READ}`)
    .option('--jwks <file>', 'public keys; for a URL those of the same host')
    .option('--host <host>', 'host that the profile must be of')
    .option('--claim', 'what is given is one quoted claim, not an answer')
    .option('--json', 'print the result as JSON')
    .action(async (target: string, options) => {
      const { verifyAnswerCommand } = await import('./verify-answer.ts');
      process.exitCode = await verifyAnswerCommand(target, options, process);
    });
}
