import { text } from 'node:stream/consumers';
import { createLog } from '../../server/config/log.ts';
import { createMailgunMailer } from '../../server/mail/mailgun.ts';
import { openedWhenAsked } from '../../server/outbox/database.ts';
import { Outbox } from '../../server/outbox/outbox.ts';
import { serve } from '../../test/support/serve.ts';
import { POLICIES } from '../../tools/policies.ts';

/**
 * The outbox behind the smallest server, for `npm run bench -- torture` to kill: POST / takes `{"n":…}` and
 * answers with the outcome, 200 when the submission is delivered and 500 when it is not.
 *
 * Arguments: data directory, URL of the mail double, URL of a database. Logs its address once it listens.
 */
const [dataDirectory = '', mailUrl = '', databaseUrl] = process.argv.slice(2);

const outbox = new Outbox({
  database: openedWhenAsked({ dataDirectory, databaseUrl }),
  mode: 'production',
  policies: { ...POLICIES, submissions: { ...POLICIES.submissions, quota: 1_000_000 } },
  mailer: createMailgunMailer({ key: 'k', domain: 'mg.acme.example', url: mailUrl, timeoutMs: 400 }),
  mail: { from: 'hola@mg.acme.example', team: 'equipo@acme.example', profile: () => undefined },
  log: createLog(),
  schedule: {
    inlineBudgetMs: 1200,
    attemptTimeoutMs: 400,
    inlinePausesMs: [20, 40],
    pausesMs: [100, 200, 400],
    probeEveryMs: 150,
    pollEveryMs: 100,
    leaseMs: 2500,
  },
});

const ends = { after: (ending: () => unknown) => process.once('SIGTERM', ending) };
const url = await serve(ends, async (request, response) => {
  const { n, padding = '' } = JSON.parse(await text(request));
  const result = await outbox.deliver({
    kind: 'partner',
    confirms: false,
    replyHours: 48,
    channel: 'rest',
    clientHash: 'torture',
    fields: { name: 'Torture', email: 'ana@client.example', company: `n=${n}`, context: `n=${n} ${padding}` },
  });
  response.writeHead(result.outcome === 'delivered' ? 200 : 500).end(JSON.stringify(result));
});
process.stderr.write(`${JSON.stringify({ url })}\n`);

process.once('SIGTERM', async () => {
  await outbox.close();
  process.exit(0);
});
