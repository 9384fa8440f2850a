import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openDatabase } from '../../server/outbox/database.ts';
import { receive } from '../../server/outbox/receive.ts';
import { sql } from '../../server/outbox/sql.ts';
import { storeOf, submission } from '../outbox/outbox-support.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { mailgunSettings, startMailgunDouble } from '../support/mailgun-double.ts';
import { aval, startServerProcess } from '../support/server-process.ts';
import { POSTGRES, SQLITE } from '../support/stores.ts';
import { EXAMPLE } from '../support/support.ts';

/** Name of a check → its state and what it says. */
async function examined(t: TestContext, env: Record<string, string>) {
  const { code, stdout, stderr } = await aval(t, env, 'doctor');
  const lines = stdout.trimEnd().split('\n');
  const rows = lines.map(line =>
    /^(ok|note|fault) +(configuration|[a-zA-Z]+(?: [a-zA-Z]+)?) +(.*)$/.exec(line),
  );
  const findings = Object.fromEntries(rows.map(row => [row?.[2], { state: row?.[1], says: row?.[3] ?? '' }]));
  const faults = Object.keys(findings).filter(name => findings[name]?.state === 'fault');
  return { code, stderr, findings, faults };
}

async function mailgun(t: TestContext, status: number) {
  const double = await startMailgunDouble(t);
  double.behave([{ kind: 'status', status }]);
  return { double, env: mailgunSettings(double) };
}

describe('aval doctor', () => {
  it('finds nothing wrong with a good installation that runs: 0, no mail sent, nothing left behind', async t => {
    const { url } = await startServerProcess(t, { DATA_DIR: temporaryFolder() });
    const { double, env } = await mailgun(t, 400);
    const directory = temporaryFolder();
    const { code, faults, findings } = await examined(t, { ...env, DATA_DIR: directory, BASE_URL: url });
    assert.deepEqual([code, faults], [0, []]);
    for (const name of ['configuration', 'data directory', 'store', 'mail', 'base URL', 'proxy headers'])
      assert.equal(findings[name]?.state, 'ok', name);
    assert.match(findings.profile?.says ?? '', /^Norte Claro, \d+ claims, until 20/);
    assert.deepEqual([double.mails, readdirSync(directory)], [[], []]);
  });

  it('names each fault with its fix, all at once: 1', async t => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { env } = await mailgun(t, 401);
    const free = `http://127.0.0.1:${await freePort()}`;
    const { code, faults, findings } = await examined(t, {
      ...env,
      DATA_DIR: join(file, 'data'),
      BASE_URL: free,
    });
    assert.deepEqual([code, faults], [1, ['data directory', 'mail', 'base URL']]);
    assert.match(findings['data directory']?.says ?? '', /\(ENOTDIR\): .*set another DATA_DIR$/);
    assert.match(findings.mail?.says ?? '', /^mailgun fails \(http-401\): .*EU region/);
    assert.equal(
      findings['base URL']?.says,
      `${free} does not answer (ECONNREFUSED): start the server, and check DNS, firewall and the proxy in front of it`,
    );
  });

  for (const under of [SQLITE, POSTGRES]) {
    it(`asks the store for an answer, and says what was not mailed in time: ${under.name}`, {
      skip: under.skip,
    }, async t => {
      const settings = await under.settings(t, temporaryFolder());
      const { dataDirectory, databaseUrl } = settings;
      const env = { DATA_DIR: dataDirectory, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
      const before = await examined(t, env);
      assert.match(before.findings.store?.says ?? '', /^none yet|is empty$/);
      const database = await openDatabase(settings);
      assert.match((await examined(t, env)).findings.store?.says ?? '', /answers$/);
      await receive(storeOf(database), submission(), () => 0);
      const late = (await examined(t, env)).findings.store;
      assert.deepEqual(
        [late?.state, /in the promised time: 1, see aval outbox list/.test(late?.says ?? '')],
        ['note', true],
      );
      await database.query(sql`ALTER TABLE submissions RENAME TO gone`);
      assert.equal((await examined(t, env)).findings.store?.state, 'fault');
      await database.query(sql`UPDATE schemas SET version = 99 WHERE name = 'submissions'`);
      await database.close();
      const { code, faults, findings } = await examined(t, env);
      assert.deepEqual([code, faults], [1, ['store']]);
      assert.match(findings.store?.says ?? '', /newer version/);
    });
  }

  it('says from thirty days before that the profile expires', async t => {
    const file = join(temporaryFolder(), 'brand.json');
    const expires_at = new Date(Date.now() + 10 * 86_400_000).toISOString();
    writeFileSync(file, JSON.stringify({ ...EXAMPLE, signatures: undefined, expires_at }));
    const { findings } = await examined(t, { DATA_DIR: temporaryFolder(), BRAND_FILE: file });
    assert.equal(findings.profile?.state, 'note');
    assert.match(findings.profile?.says ?? '', /expires/);
  });
});
