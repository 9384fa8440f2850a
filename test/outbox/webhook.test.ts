import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { ConfigError, readConfig } from '../../server/config/config.ts';
import { sql } from '../../server/outbox/sql.ts';
import { createWebhook, testEvent } from '../../server/webhook/webhook.ts';
import { freePort } from '../support/free-port.ts';
import { serve } from '../support/serve.ts';
import { STORES } from '../support/stores.ts';
import { DIAGNOSTIC, dryRunMails, startForms } from '../support/submission-support.ts';
import { bodyOf, PRODUCTION } from '../support/support.ts';
import {
  type Bench,
  background,
  createBench,
  HOUR,
  inSteps,
  MINUTE,
  partner,
  submission,
  teamMails,
  until,
} from './outbox-support.ts';

const SECRET = `whsec_${Buffer.from('a secret of the receiver, 32 byte').toString('base64')}`;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

/** A receiver that answers each event with the next of these statuses, then with the last. */
async function startReceiver(t: TestContext, ...statuses: number[]) {
  const events: Received[] = [];
  const url = await serve(t, async (request, response) => {
    events.push({ headers: request.headers, body: await text(request), path: request.url ?? '' });
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    response.writeHead(status ?? 200, { location: `${url}/elsewhere` }).end('a'.repeat(200_000));
  });
  return { url, events, webhook: createWebhook({ url, secret: SECRET }, 60_000) };
}

/** As a receiver does it, by the specification's own library. */
function verified({ headers, body }: Received) {
  const event = new Webhook(SECRET).verify(body, headers as Record<string, string>);
  return JSON.parse(JSON.stringify(event));
}

/** Waits for what the webhook's rounds do: an event goes a moment after its submission. */
const later = (bench: Bench, ready: () => boolean | Promise<boolean>) => inSteps(bench, 100, ready);

for (const store of STORES) {
  describe(`the webhook over ${store.name}`, { skip: store.skip }, () => {
    it('gets each submission once, signed, under its reference, with everything that was typed marked as unverified', async t => {
      const { events, webhook } = await startReceiver(t, 200);
      const bench = await createBench(t, store);
      const outboxes = [await bench.open({ webhook }), await bench.open({ webhook })];
      const sent = await Promise.all([0, 1, 0, 1].map(index => outboxes[index]!.deliver(submission())));
      await later(bench, () => events.length === 4);
      const references = sent.map(result => ('reference' in result ? result.reference : ''));
      assert.deepEqual(events.map(event => verified(event).data.reference).sort(), references.sort());
      for (const event of events) {
        const { type, timestamp, data } = verified(event);
        assert.deepEqual([type, timestamp], ['submission.created', data.received]);
        assert.equal(event.headers['webhook-id'], data.reference);
        assert.match(data.unverified, /unverified input/);
        assert.deepEqual(data.fields, submission().fields);
        assert.deepEqual([data.action, data.channel, data.mode], ['diagnostic', 'rest', 'production']);
      }
      assert.equal(teamMails(bench).length, 4);
    });

    it('is tried again after 1, 5, 15 and 60 minutes under the same id; the mail goes once, and its failure sends no event twice', async t => {
      const { events, webhook } = await startReceiver(t, 500, 301, 404, 503, 200);
      const bench = await createBench(t, store);
      bench.double.behave([
        { kind: 'status', status: 500 },
        { kind: 'status', status: 500 },
        { kind: 'accept' },
      ]);
      const outbox = await bench.open({ webhook, schedule: { inlinePausesMs: [] } });
      assert.equal((await outbox.deliver(partner())).outcome, 'kept');
      const { query } = await bench.connect();
      const planned = async (tries: number) => {
        const [row] = await query(
          sql`SELECT due_at - planned_at AS pause FROM deliveries WHERE part = 'webhook' AND tries = ${tries}`,
        );
        return row && Number(row.pause);
      };
      /** Its second try fails and its third is accepted. The clock may not go on while it is sent. */
      const hasMailed = async (round: number) => {
        const [mail] = await query(sql`SELECT tries, done_at FROM deliveries WHERE part = 'team'`);
        return round === 0 ? Number(mail?.tries) === 2 : mail?.done_at !== null;
      };
      for (const [index, pauseMs] of [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE].entries()) {
        await later(bench, async () => (await planned(index + 1)) !== undefined);
        assert.equal(await planned(index + 1), pauseMs);
        bench.clock.advance(pauseMs);
        await inSteps(bench, 1000, async () => events.length === index + 2 && (await hasMailed(index)));
      }
      assert.equal(new Set(events.map(({ headers }) => headers['webhook-id'])).size, 1);
      assert.ok(
        events.every(({ path }) => path === '/'),
        'no redirect is followed',
      );
      for (const event of events) verified(event);
      await until(async () => !(await bench.isSending()));
      bench.clock.advance(48 * HOUR);
      await background(bench, async () => (await bench.pending()).length === 0);
      assert.deepEqual([events.length, teamMails(bench).length], [5, 1]);
    });

    it('that is gone (410), or fails for 48 hours, is given up with an alarm; the visitor is answered as without it', async t => {
      const gone = await startReceiver(t, 410);
      const bench = await createBench(t, store);
      const outbox = await bench.open({ webhook: gone.webhook });
      const givenUp = () => bench.log.filter(({ event }) => event === 'webhook given up');
      assert.equal((await outbox.deliver(submission())).outcome, 'delivered');
      await later(bench, () => givenUp().length === 1);
      assert.deepEqual([givenUp()[0]?.code, givenUp()[0]?.alarm], ['http-410', true]);
      await outbox.close();
      const down = createWebhook({ url: `http://127.0.0.1:${await freePort()}`, secret: SECRET });
      const next = await bench.open({ webhook: down });
      assert.equal((await next.deliver(submission())).outcome, 'delivered');
      const records = () => bench.stored();
      await inSteps(bench, HOUR, async () => (await records()).every(({ webhook }) => webhook === 'failed'));
      assert.deepEqual([givenUp().length, givenUp()[1]?.code], [2, 'ECONNREFUSED']);
      const notes = (await records()).map(({ webhook, webhook_note }) => `${webhook} ${webhook_note}`);
      assert.deepEqual(notes, ['failed permanent http-410', 'failed temporary ECONNREFUSED']);
    });

    it('that hangs keeps neither a visitor nor the end of the process waiting, and gets the event after the next start', async t => {
      const requests: string[] = [];
      const url = await serve(t, request => void requests.push(String(request.headers['webhook-id'])));
      const bench = await createBench(t, store);
      const outbox = await bench.open({ webhook: createWebhook({ url, secret: SECRET }) });
      assert.equal((await outbox.deliver(submission())).outcome, 'delivered');
      await later(bench, () => requests.length === 1);
      assert.equal((await outbox.deliver(submission())).outcome, 'delivered');
      const beginMs = performance.now();
      await outbox.close();
      assert.ok(performance.now() - beginMs < 5000);
      const { events, webhook } = await startReceiver(t, 200);
      bench.clock.advance(20_000);
      await bench.open({ webhook });
      await background(bench, () => events.length === 2);
      assert.ok(events.some(({ headers }) => headers['webhook-id'] === requests[0]));
    });
  });
}

describe('the receiver of the webhook', () => {
  it('that does not answer in time has failed with a code that says so', async t => {
    const url = await serve(t, () => {});
    const sending = createWebhook({ url, secret: SECRET }, 50).send(testEvent());
    await assert.rejects(sending, { code: 'TimeoutError' });
  });

  it('has taken an event once its answer begins with 2xx, also where that never ends', async t => {
    const url = await serve(t, (_, response) => void response.writeHead(200).write('{'));
    await createWebhook({ url, secret: SECRET }, 3000).send(testEvent());
  });
});

describe('settings of the webhook', () => {
  const read = (env: Record<string, string>) => readConfig({ ...PRODUCTION, ...env });

  it('lack a secret: the start refuses, and prints one to use', () => {
    const WEBHOOK_URL = 'https://crm.example/aval';
    assert.throws(
      () => read({ WEBHOOK_URL }),
      ({ message }: ConfigError) => {
        const [secret = ''] = /whsec_\S+$/m.exec(message) ?? [];
        assert.equal(read({ WEBHOOK_URL, WEBHOOK_SECRET: secret }).webhook?.secret, secret);
        return true;
      },
    );
    assert.throws(() => read({ WEBHOOK_URL, WEBHOOK_SECRET: 'whsec_c2hvcnQ=' }), ConfigError);
  });

  it('in a dry run send nothing: the event is a file beside the mail', async t => {
    const { events, url } = await startReceiver(t, 200);
    const { contact, config } = await startForms(t, { env: { WEBHOOK_URL: url, WEBHOOK_SECRET: SECRET } });
    const { reference } = await bodyOf(await contact(DIAGNOSTIC));
    const files = () => dryRunMails(config.dataDirectory, '.webhook.json');
    while (files().length < 1) await new Promise(setImmediate);
    assert.equal(JSON.parse(files()[0] ?? '').data.reference, reference);
    assert.equal(events.length, 0);
  });
});
