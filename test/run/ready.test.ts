import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readConfig } from '../../server/config/config.ts';
import type { Log } from '../../server/config/log.ts';
import type { Mailer } from '../../server/mail/mailer.ts';
import type { ServedBrand } from '../../server/run/load-brand.ts';
import { Server } from '../../server/run/server.ts';
import { exampleBrand } from '../support/example.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { PARTNER } from '../support/submission-support.ts';
import { post } from '../support/support.ts';

/** A server whose profile is loaded when the test says so. */
async function starting(t: TestContext) {
  let finish = (_fault?: Error) => {};
  const loaded = new Promise<void>((resolve, reject) => {
    finish = fault => (fault ? reject(fault) : resolve());
  });
  const port = await freePort();
  // Nobody gets these ports while nobody listens on them.
  const ADMIN_PORT = String(await freePort());
  const config = readConfig({ PORT: String(port), ADMIN_PORT, DATA_DIR: temporaryFolder() });
  const load = async () => {
    await loaded;
    return exampleBrand();
  };
  const server = new Server(config, () => {}, { load });
  t.after(() => server.close());
  const started = server.start();
  while (server.admin === undefined) await new Promise(setImmediate);
  const { url: admin } = server.admin;
  return { started, finish: (fault?: Error) => finish(fault), url: `http://127.0.0.1:${port}`, admin };
}

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => 'nobody listens',
  );

describe('a server that starts', () => {
  it('is alive at once, and ready once its profile is loaded: then its port opens', async t => {
    const { started, finish, url, admin } = await starting(t);
    assert.equal(await statusOf(`${admin}/livez`), 200);
    const early = await fetch(`${admin}/readyz`);
    assert.equal(early.status, 503);
    assert.match(await early.text(), /"process",\s+"state": "down",\s+"message": "is starting"/);
    assert.equal(await statusOf(`${url}/ask?q=precio`), 'nobody listens');

    finish();
    assert.equal(await started, url);
    assert.equal(await statusOf(`${admin}/readyz`), 200);
    assert.equal(await statusOf(`${url}/ask?q=precio`), 200);
  });

  it('and cannot, for want of a profile, leaves nothing open', async t => {
    const failing = await starting(t);
    failing.finish(new Error('no profile'));
    await assert.rejects(failing.started, /no profile/);
    assert.equal(await statusOf(`${failing.admin}/livez`), 'nobody listens');
  });

  it('refuses a profile of which a page cannot be made, in the words of a reload', async t => {
    const brand = await exampleBrand();
    const unwritable = { ...brand, profile: { ...brand.profile, language: 'es_ES' } };
    const refusal = /^Error: a page or document cannot be made of this profile: /;
    const port = await freePort();
    const config = readConfig({ PORT: String(port), DATA_DIR: temporaryFolder() });
    const server = new Server(config, () => {}, { load: async () => unwritable });
    t.after(() => server.close());
    await assert.rejects(server.start(), refusal);
    assert.equal(await statusOf(`http://127.0.0.1:${port}/ask?q=precio`), 'nobody listens');

    const running = new Server(readConfig({ PORT: '0', DATA_DIR: temporaryFolder() }), () => {}, {
      load: exampleBrand,
    });
    t.after(() => running.close());
    await running.start();
    await assert.rejects(running.use(unwritable), refusal);
  });

  it('sends no mail of another brand before it refuses its store', async t => {
    const config = readConfig({ PORT: '0', DATA_DIR: temporaryFolder() });
    const begin = (load: () => Promise<ServedBrand>, send: Mailer['send']) => {
      const mailer: Mailer = { name: 'file', send, verify: async () => {} };
      const server = new Server(config, () => {}, { load, mailer });
      t.after(() => server.close());
      return server;
    };
    const first = begin(exampleBrand, () => Promise.reject(new Error('no mail today')));
    const url = await first.start();
    assert.equal((await post(`${url}/api/v1/partners`, PARTNER)).status, 500);
    await first.close();

    const brand = await exampleBrand();
    const subjects: string[] = [];
    const second = begin(
      async () => {
        // Time enough for a round of sending.
        await setTimeout(500);
        return { ...brand, profile: { ...brand.profile, id: 'another' } };
      },
      async ({ subject }) => {
        subjects.push(subject);
        return {};
      },
    );
    await assert.rejects(second.start(), /norte_claro/);
    assert.deepEqual(subjects, []);
  });

  it('names clients as after a restart once its database is back', async t => {
    const DATA_DIR = join(temporaryFolder(), 'data');
    writeFileSync(DATA_DIR, 'a file in the place of the folder');
    const begin = async () => {
      let client: unknown;
      const log: Log = (_level, event, fields) => {
        if (event === 'request') client = fields?.client;
      };
      const server = new Server(readConfig({ PORT: '0', DATA_DIR }), log, { load: exampleBrand });
      t.after(() => server.close());
      const url = await server.start();
      const askClient = async () => {
        await (await fetch(`${url}/api/v1/status`)).text();
        return client;
      };
      return { server, askClient };
    };
    const first = await begin();
    const temporary = await first.askClient();
    rmSync(DATA_DIR);
    let lasting = temporary;
    while (lasting === temporary) {
      await setTimeout(50);
      lasting = await first.askClient();
    }
    await first.server.close();
    assert.equal(await (await begin()).askClient(), lasting);
  });
});
