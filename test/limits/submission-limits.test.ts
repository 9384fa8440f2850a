import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { anew, DIAGNOSTIC, deleteDatabase, five, startForms } from '../support/submission-support.ts';
import { assertRefused } from '../support/support.ts';

const POLICY = '"submissions";q=10;w=3600';
const state = (remaining: number, wait: number) => [
  POLICY,
  `"submissions";r=${remaining};t=${wait}`,
  ...['10', `${remaining}`, `${wait}`],
];

async function start(t: TestContext) {
  const app = await startForms(t);
  const accept = async (count: number) => {
    for (let done = 0; done < count; done += 1)
      assert.equal((await app.contact(DIAGNOSTIC, anew())).status, 200);
  };
  return { ...app, accept };
}

describe('the limit of 10 submissions an hour per client', () => {
  it('frees slot by slot, each an hour after it was taken', async t => {
    const { accept, contact, clock } = await start(t);
    await accept(1);
    clock.advance(1000);
    await accept(9);
    clock.advance(2599.5);
    assert.equal((await contact(DIAGNOSTIC, anew())).headers.get('retry-after'), '1');
    clock.advance(0.5);
    assert.deepEqual(five(await contact(DIAGNOSTIC, anew())), state(0, 1000));
    assert.equal((await contact(DIAGNOSTIC, anew())).status, 429);
  });

  it('counts a submission whose mail failed, but not one that could not be written', async t => {
    const { contact, mailer, config, accept } = await start(t);
    await accept(1);
    mailer.fail('configuration');
    const kept = await contact(DIAGNOSTIC, anew());
    assert.deepEqual([kept.status, five(kept)], [500, state(8, 3600)]);
    await deleteDatabase(config.dataDirectory);
    const lost = await contact({ ...DIAGNOSTIC, name: 'Eva Gil' });
    // Nothing can be counted where nothing can be read, and nothing is accepted.
    assert.deepEqual([lost.status, five(lost)], [500, state(10, 0)]);
  });
});

describe('the limit of 100 submissions an hour for an IPv6 /48', () => {
  it('is named by its refusal, leaves the client its slot, and bounds neither other networks nor IPv4', async t => {
    const { contact } = await startForms(t, { env: { TRUSTED_HOPS: '1', LIMITS: 'submissions=1/3600' } });
    const from = (address: string) => contact(DIAGNOSTIC, { 'x-forwarded-for': address });
    for (let client = 1; client <= 10; client += 1) {
      const [policy, left] = five(await from(`2001:db8:1:${client}::1`));
      assert.deepEqual([policy, left], ['"submissions";q=1;w=3600', '"submissions";r=0;t=3600']);
    }
    const refused = await from('2001:db8:1:11::1');
    assert.equal(refused.headers.get('retry-after'), '3600');
    assert.deepEqual(five(refused), [
      '"submissions-network";q=10;w=3600, "submissions";q=1;w=3600',
      '"submissions-network";r=0;t=3600, "submissions";r=1;t=0',
      ...['10', '0', '3600'],
    ]);
    const { error } = await assertRefused(Promise.resolve(refused), 'rate_limited', 429);
    assert.equal(error, 'Rate limit exceeded: 10 submissions per hour per IPv6 /48 network.');
    assert.equal((await from('2001:db8:2::1')).status, 200);
    for (let host = 1; host <= 4; host += 1) assert.equal((await from(`203.0.113.${host}`)).status, 200);
  });
});
