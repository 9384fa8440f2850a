import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addToKeySet, createPrivateKey, publicKeyOf } from '../../brand/trust/keys.ts';
import { signedText } from '../../brand/trust/signature.ts';
import { freePort } from '../../test/free-port.ts';
import { EXAMPLE, ROOT } from '../../test/support.ts';
import { start } from '../child.ts';
import { distinctQuestions } from '../questions.ts';
import { circumstances } from '../rounds.ts';

/**
 * `npm run bench -- many-brands`: what a brand more costs in memory, in a process of its own and in one process for all
 * (examples/library/many-brands.ts). Each brand has the 24 claims of the example and has answered 50 questions.
 */
const QUESTIONS = distinctQuestions(50);
/** By setting of ENCODER. */
const COUNTS = { off: [1, 10, 50], auto: [1, 10] } as const;

// It holds no types, so Node runs it as it is; inside the package it finds the package by its name.
const EXAMPLE_FILE = `${ROOT}dist/many-brands.mjs`;
cpSync(`${ROOT}examples/library/many-brands.ts`, EXAMPLE_FILE);
const SAYS_ON_STDERR =
  'data:text/javascript,console.log = url => process.stderr.write(JSON.stringify({ url }) + String.fromCharCode(10))';

const folder = mkdtempSync(join(tmpdir(), 'aval-brands-'));
const key = await createPrivateKey();
const jwks = await addToKeySet(await publicKeyOf(key));
const lines: string[] = [];
for (const encoder of ['off', 'auto'] as const) {
  for (const count of COUNTS[encoder]) {
    const sites = await sitesOf(count, encoder);
    const port = await freePort();
    const env = { SITES: sites, PORT: String(port), ENCODER: encoder, LIMIT_DEFAULT: '1000000/60', LOG_LEVEL: 'warn' };
    // The example says its address on stdout; the bench waits for it on stderr.
    const child = await start(['--max-semi-space-size=8', '--import', SAYS_ON_STDERR, EXAMPLE_FILE], env);
    for (let index = 0; index < count; index += 1) await askAll(port, hostOf(index));
    say({ encoder, processes: 'one for all', brands: count, residentMb: Math.round(child.residentMb()) });
    await child.stop();
  }
  const site = join(await sitesOf(1, `${encoder}-alone`), hostOf(0));
  const child = await start(['--max-semi-space-size=8', 'dist/server/main.js'], {
    ...{ PORT: '0', BASE_URL: `https://${hostOf(0)}`, ENCODER: encoder, LIMIT_DEFAULT: '1000000/60' },
    ...{
      BRAND_FILE: join(site, 'brand.json'),
      BRAND_JWKS: join(site, 'brand.jwks.json'),
      DATA_DIR: join(site, 'data'),
    },
  });
  await askAll(child.port, hostOf(0));
  say({ encoder, processes: 'one each', brands: 1, residentMb: Math.round(child.residentMb()) });
  await child.stop();
}
rmSync(folder, { recursive: true, force: true });
rmSync(EXAMPLE_FILE);
process.exit();

function hostOf(index: number): string {
  return `site-${index}.example`;
}

async function sitesOf(count: number, name: string): Promise<string> {
  const sites = join(folder, `${name}-${count}`);
  for (let index = 0; index < count; index += 1) {
    const site = join(sites, hostOf(index));
    mkdirSync(site, { recursive: true });
    writeFileSync(join(site, 'brand.jwks.json'), jwks);
    writeFileSync(join(site, 'brand.json'), await signedText({ ...EXAMPLE, url: `https://${hostOf(index)}` }, [key]));
  }
  return sites;
}

async function askAll(port: number, host: string): Promise<void> {
  for (const question of QUESTIONS) {
    await new Promise((resolve, reject) => {
      const path = `/ask?q=${encodeURIComponent(question)}`;
      request({ host: '127.0.0.1', port, path, headers: { host } }, answer => answer.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
  }
}

function say(row: object): void {
  lines.push(JSON.stringify(row));
  process.stdout.write(`${JSON.stringify(row)}\n`);
  const result = { ...circumstances(), rows: lines.map(line => JSON.parse(line)) };
  writeFileSync(`${ROOT}bench/results/many-brands.json`, `${JSON.stringify(result, null, 2)}\n`);
}
