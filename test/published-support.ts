import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { init } from '../server/cli/init.ts';
import { readConfig } from '../server/config/config.ts';
import type { Mail, MailError, Mailer } from '../server/mail/mailer.ts';
import { loadBrand } from '../server/run/load-brand.ts';
import type { ServedBrand } from '../server/run/served-brand.ts';
import { temporaryFolder } from './folder.ts';
import { TABLE_ALONE } from './support.ts';

let made: Promise<ServedBrand> | undefined;

/** A brand as `aval init` writes it: another name, host and language; its files stay in a folder of their own. */
export function initedBrand(): Promise<ServedBrand> {
  made ??= writeBrand();
  return made;
}

async function writeBrand(): Promise<ServedBrand> {
  const directory = temporaryFolder();
  const silent = { write: () => true };
  const answers = { name: 'Faro Alto', url: 'https://faro.example', language: 'en', actions: 'consultancy' };
  await init({ directory, ...answers }, { stdin: new PassThrough(), stdout: silent, stderr: silent });
  const files = { BRAND_FILE: join(directory, 'brand.json'), BRAND_JWKS: join(directory, 'brand.jwks.json') };
  return loadBrand(readConfig({ ...TABLE_ALONE, ...files, BASE_URL: answers.url }), () => {});
}

interface Mailbox {
  readonly all: readonly Mail[];
  readonly to: (address: string) => readonly Mail[];
  /** What every send fails with, while it is set. */
  fault: MailError | undefined;
  /** Resolves a little after it is so, or when it will not be: confirmations leave after the answer. */
  readonly settled: (isSo: () => boolean) => Promise<void>;
  readonly mailer: Mailer;
}

/** A mail provider that keeps what it accepts. */
export function mailbox(): Mailbox {
  const all: Mail[] = [];
  const box: Mailbox = {
    all,
    fault: undefined,
    to: address => all.filter(mail => mail.to === address),
    async settled(isSo) {
      for (let turn = 0; turn < 50_000 && !isSo(); turn += 1) await setImmediate();
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    },
    mailer: {
      name: 'file',
      async send(mail) {
        if (box.fault) throw box.fault;
        all.push(mail);
        return { id: String(all.length) };
      },
      async verify() {},
    },
  };
  return box;
}
