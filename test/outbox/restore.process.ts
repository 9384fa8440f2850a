import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { audited } from '../../server/outbox/archive.ts';
import { type DatabaseSettings, openDatabase } from '../../server/outbox/database.ts';
import { type Query, type Sql, sql } from '../../server/outbox/sql.ts';
import { openSqlite } from '../../server/outbox/sqlite.ts';
import { recipientOf } from '../../server/outbox/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { aval, startServerProcess } from '../support/server-process.ts';
import { POSTGRES, SQLITE, type StoreUnderTest } from '../support/stores.ts';
import { assertAccepted, DIAGNOSTIC, DRY_RUN_OK, storedIn } from '../support/submission-support.ts';
import { post } from '../support/support.ts';

const [ANA, LUIS, EVA] = ['ana@client.example', 'luis@client.example', 'eva@client.example'];

/** An empty place for a database, and the settings that name it. */
async function placeOn(t: TestContext, store: StoreUnderTest) {
  const settings = await store.settings(t, temporaryFolder());
  const { dataDirectory: DATA_DIR, databaseUrl: DATABASE_URL = '' } = settings;
  const env = { DATA_DIR, DATABASE_URL };
  return { settings, run: (...words: string[]) => aval(t, env, 'outbox', ...words), env };
}

async function inside<Result>(
  settings: DatabaseSettings,
  act: (query: Query) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(settings);
  return act(database.query).finally(() => database.close());
}

/** Three people; one is erased before the back-up, one after it. */
async function installation(t: TestContext, store: StoreUnderTest) {
  const place = await placeOn(t, store);
  await inside(place.settings, async query => {
    for (const [index, email] of [ANA, LUIS, EVA].entries()) {
      await query(sql`
        INSERT INTO submissions (id, reference, kind, channel, mode, language, received_at, fields, recipient, suspect, state,
          tries, confirmation, finished_at)
        VALUES (${`sub-${index}`}, ${`BCDF-000${index}`}, 'partner', 'rest', 'dry-run', 'es', ${Date.now() - 1000},
          ${JSON.stringify({ email })}, ${recipientOf(email)}, 0, 'delivered', 0, 'none', ${Date.now()})`);
    }
  });
  const file = join(temporaryFolder(), 'aval.backup');
  assert.equal((await place.run('erase', '--email', ANA)).code, 0);
  const saved = await place.run('backup', file);
  assert.deepEqual([saved.code, /^3 submissions of .* in /.test(saved.stderr)], [0, true], saved.stderr);
  assert.equal((await place.run('erase', '--email', LUIS)).code, 0);
  return { place, file };
}

/** Whose fields are there, and what operators did. */
async function contentOf(settings: DatabaseSettings) {
  const database = await openDatabase(settings);
  const people = (await storedIn(database)).map(({ fields }) => fields?.email ?? 'erased');
  const audit = (await audited(database.query)).map(({ what, about }) => `${what} ${about}`);
  await database.close();
  return { people, audit };
}

for (const store of [SQLITE, POSTGRES]) {
  describe(`a back-up of ${store.name}`, { skip: store.skip }, () => {
    for (const part of ['full', 'partial'] as const) {
      for (const target of ['an empty place', 'the place it was made of'] as const) {
        const isOld = target !== 'an empty place';
        it(`restored ${part === 'full' ? 'whole' : 'without tables'} into ${target}: the erased stay erased${isOld ? '' : ', or it says that nobody knows'}`, async t => {
          const { place, file } = await installation(t, store);
          if (part === 'partial') await change(file, sql`DROP TABLE attempts`, sql`DROP TABLE audit`);
          const goal = isOld ? place : await placeOn(t, store);
          const { code, stderr } = await goal.run('restore', file, ...(isOld ? ['--replace'] : []));
          assert.equal(code, 0, stderr);
          assert.match(stderr, /^3 submissions restored into /m);
          const { people, audit } = await contentOf(goal.settings);
          // A back-up of the place itself is recognised by the record in it.
          const isRecordWhole = isOld && part === 'full';
          assert.deepEqual(people.sort(), isOld ? ['erased', 'erased', EVA] : ['erased', EVA, LUIS]);
          assert.equal(/^1 erased again/m.test(stderr), isOld);
          assert.equal(/^WARNING: nothing here tells who was erased/m.test(stderr), !isRecordWhole, stderr);
          assert.equal(
            /^WARNING: .* lacks attempts, audit: nothing of it is restored/m.test(stderr),
            part === 'partial',
          );
          assert.equal(audit.includes(`erase ${recipientOf(ANA)}`), isOld || part === 'full');
          assert.equal(audit.includes(`erase ${recipientOf(LUIS)}`), isOld);
          assert.equal(audit.at(-1), 'restore aval.backup');
          const shown = await goal.run('show', 'BCDF-0002');
          assert.equal(JSON.parse(shown.stdout).fields.email, EVA, shown.stderr);
          assert.equal((await goal.run('erase', '--email', EVA)).code, 0);
        });
      }
    }

    it('restored by another program brings nobody back: a start erases again whom the record names', async t => {
      const { place } = await installation(t, store);
      await inside(place.settings, query =>
        query(sql`
          UPDATE submissions SET fields = ${JSON.stringify({ email: LUIS })}, recipient = ${recipientOf(LUIS)},
            erased_at = NULL WHERE id = 'sub-1'`),
      );
      const { wrote } = await startServerProcess(t, place.env);
      await wrote(/"event":"erased again","count":1/);
      assert.deepEqual((await contentOf(place.settings)).people.sort(), ['erased', 'erased', EVA]);
    });

    it('restored with fields that cannot be read: restore and every command name the submission', async t => {
      const { place, file } = await installation(t, store);
      await change(file, sql`UPDATE submissions SET fields = '{' WHERE id = 'sub-2'`);
      const commands = [
        ['restore', file, '--replace'],
        ['list'],
        ['list', '--json'],
        ['show', 'BCDF-0002'],
        ['export'],
      ];
      for (const words of commands) {
        const { code, stderr } = await place.run(...words);
        assert.equal(code, 0, stderr);
        assert.equal(
          stderr.match(/^WARNING: BCDF-0002: its fields cannot be read/gm)?.length,
          1,
          words.join(' '),
        );
      }
    });

    it('restored in part by another program: a start makes the tables and indexes that lack, and says what nobody knows', async t => {
      const { place } = await installation(t, store);
      await inside(place.settings, async query => {
        await query(sql`DROP TABLE audit`);
        await query(sql`DROP INDEX submissions_reference`);
      });
      const { url, wrote } = await startServerProcess(t, place.env);
      await assertAccepted(post(`${url}/api/v1/contact`, DIAGNOSTIC), DRY_RUN_OK);
      await wrote(/"event":"tables lost","tables":\["audit"\],"fix":"[^"]*who was erased[^"]*","alarm":true/);
      assert.equal((await place.run('list')).code, 0);
      assert.equal((await place.run('erase', '--email', EVA)).code, 0);
    });
  });
}

it('a back-up of SQLite moves an installation to Postgres', { skip: POSTGRES.skip }, async t => {
  const { file } = await installation(t, SQLITE);
  const place = await placeOn(t, POSTGRES);
  assert.equal((await place.run('restore', file)).code, 0);
  assert.deepEqual((await contentOf(place.settings)).people.sort(), ['erased', EVA, LUIS]);
});

async function change(file: string, ...statements: readonly Sql[]): Promise<void> {
  const database = await openSqlite(file);
  for (const statement of statements) await database.query(statement);
  await database.close();
}
