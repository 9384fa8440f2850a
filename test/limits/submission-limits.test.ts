import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DIAGNOSTIC, five, startForms } from '../support/submission-support.ts';
import { assertRefused } from '../support/support.ts';

it('the limit of an IPv6 /48 is named by its refusal, and bounds neither other networks nor IPv4', async t => {
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
