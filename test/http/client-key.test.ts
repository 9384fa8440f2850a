import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TrustedProxies } from '../../server/config/config.ts';
import { createClientHash, createClientKey } from '../../server/http/client-key.ts';

const NOBODY: TrustedProxies = { ranges: [], hops: 0 };

/** Keys of callers, written as `socket address` or `socket address < X-Forwarded-For`. */
function keysOf(proxies: TrustedProxies, ...callers: string[]): string[] {
  const clientKey = createClientKey({ proxies, hash: createClientHash('secret') });
  return callers.map(caller => {
    const [remoteAddress, forwarded] = caller.split(' < ');
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    return clientKey({ socket: { remoteAddress }, headers }).clientHash;
  });
}

function assertSame(proxies: TrustedProxies, ...callers: string[]): void {
  assert.equal(new Set(keysOf(proxies, ...callers)).size, 1, callers.join(' = '));
}

describe('a client', () => {
  it('never shows its address in its key, which differs with every secret', () => {
    const [key = ''] = keysOf(NOBODY, '192.0.2.1');
    assert.doesNotMatch(key, /192/);
    const socket = { remoteAddress: '192.0.2.1' };
    assert.notEqual(
      createClientKey({ proxies: NOBODY, hash: createClientHash('other secret') })({ socket, headers: {} }),
      key,
    );
  });

  it('is the right-most entry of X-Forwarded-For that no trusted proxy wrote itself', () => {
    const proxies = { ranges: ['10.0.0.0/8', '2001:db8:ffff::/48'], hops: 0 };
    assertSame(
      proxies,
      '198.51.100.1',
      '10.0.0.1 < 198.51.100.1',
      '10.0.0.1 < 203.0.113.9, 198.51.100.1',
      '10.0.0.1 < 203.0.113.9, 198.51.100.1, 10.2.3.4',
      '::ffff:10.0.0.1 < 198.51.100.1:4711',
      '2001:db8:ffff::1 < 198.51.100.1',
      '198.51.100.1 < 203.0.113.9',
    );
    assertSame(proxies, '2001:db8::7', '10.0.0.1 < [2001:db8::7]:443', '10.0.0.1 < 2001:db8::7');
  });

  it('is named by each request where one connection of a proxy carries those of many', () => {
    const proxies = { ranges: ['10.0.0.0/8'], hops: 0 };
    const clientKey = createClientKey({ proxies, hash: createClientHash('secret') });
    const socket = { remoteAddress: '10.0.0.1' };
    const keys = ['198.51.100.1', undefined, '203.0.113.9', undefined, '198.51.100.1'].map(
      forwarded =>
        clientKey({ socket, headers: forwarded ? { 'x-forwarded-for': forwarded } : {} }).clientHash,
    );
    const [first, proxy, second] = keys;
    assert.deepEqual(keys, [first, proxy, second, proxy, first]);
    assert.equal(new Set(keys).size, 3);
  });

  it('behind IPv4 is one whether its address comes bare or inside IPv6', () => {
    const bare = ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'];
    assertSame(NOBODY, ...bare);
    assertSame({ ranges: ['10.0.0.0/8'], hops: 0 }, ...bare.map(address => `10.0.0.1 < ${address}`));
  });

  it('stands TRUSTED_HOPS entries from the right, whatever the addresses of the proxies', () => {
    assertSame({ ranges: [], hops: 1 }, '192.0.2.1 < 198.51.100.1', '192.0.2.2 < 203.0.113.9, 198.51.100.1');
    assertSame(
      { ranges: [], hops: 2 },
      '192.0.2.1 < 198.51.100.1, 192.0.2.9',
      '192.0.2.2 < 1.1.1.1, 198.51.100.1, 192.0.2.8',
    );
  });
});
