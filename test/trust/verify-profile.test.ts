import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProfileError } from '../../brand/profile/profile.ts';
import { loadServedProfile } from '../../brand/trust/served-profile.ts';
import { verifyProfile } from '../../brand/trust/verify-profile.ts';
import { folderWith } from '../support/folder.ts';
import { bytesOf, EDDSA_KEY, ES256_KEY, keySet, NOW, PROFILE, signedBytes } from './signed-profile.ts';

const jwks = await keySet(ES256_KEY);
const host = 'brand.example';

async function codesOf(bytes: Uint8Array, changes: object = {}): Promise<string[]> {
  const { verified, reasons, notes } = await verifyProfile(bytes, { jwks, host, now: NOW, ...changes });
  assert.equal(verified, reasons.length === 0);
  assert.deepEqual(notes, [], 'a reason is told once');
  return reasons.map(({ code, path }) => `${code} at ${path}`);
}

describe('the verdict on a profile', () => {
  it('is no from the second of expiry on, and before the day of issue', async () => {
    const bytes = await signedBytes();
    assert.deepEqual(await codesOf(bytes, { now: new Date('2026-12-31T23:59:59.999Z') }), []);
    assert.deepEqual(await codesOf(bytes, { now: new Date(PROFILE.expires_at) }), ['expired at expires_at']);
    assert.deepEqual(await codesOf(bytes, { now: new Date('2025-12-31T23:59:59Z') }), [
      'not_yet_valid at issued_at',
    ]);
    assert.deepEqual(await codesOf(bytes, { now: new Date(PROFILE.issued_at) }), []);
  });

  it('is no for another host, another port or a host below', async () => {
    const bytes = await signedBytes();
    for (const other of ['other.example', 'example', 'brand.example:8443', 'www.brand.example']) {
      assert.deepEqual(await codesOf(bytes, { host: other }), ['host_mismatch at url']);
    }
    assert.deepEqual(await codesOf(bytes, { host: 'BRAND.example' }), []);
    const accented = await signedBytes({ ...PROFILE, url: 'https://peñón.example' });
    assert.deepEqual(await codesOf(accented, { host: 'PEÑÓN.example' }), []);
  });

  it('is refused for a text that only has the host in it', async () => {
    const bytes = await signedBytes();
    const texts = [
      'other.example@brand.example',
      'brand.example/other',
      'brand.example?a',
      'brand.example#a',
    ];
    for (const other of [...texts, 'brand.example\\other']) {
      await assert.rejects(codesOf(bytes, { host: other }), /is not a host: write it like acme\.example/);
    }
  });
});

describe('the profile that is served', async () => {
  const file = (bytes: Uint8Array) => folderWith({ 'a.json': bytes })('a.json');
  const signed = file(await signedBytes());
  const unsigned = file(bytesOf(PROFILE));
  const jwksPath = file(jwks);
  const options = { jwksPath, host, production: true, now: NOW };

  it('is verified at start', async () => {
    const served = await loadServedProfile(signed, options);
    assert.equal(served.verified, true);
    assert.deepEqual(Buffer.from(served.jwks ?? []), Buffer.from(jwks));
  });

  it('is exempt from the host check on a loopback address, with a warning', async () => {
    for (const loopback of ['127.0.0.1:8787', 'localhost:8787', '[::1]:8787']) {
      const { verified, warnings } = await loadServedProfile(signed, { ...options, host: loopback });
      assert.equal(verified, true);
      assert.deepEqual(warnings, ['the host was not checked: the profile speaks for brand.example']);
    }
  });

  it('is served with a warning from 30 days before it expires', async () => {
    const on = (now: string) => loadServedProfile(signed, { ...options, now: new Date(now) });
    assert.deepEqual((await on('2026-12-01T23:59:59Z')).warnings, []);
    assert.match(
      (await on('2026-12-02T00:00:01Z')).warnings[0] ?? '',
      /^expires_at: the profile expires at 2027-01-01T00:00:00Z/,
    );
  });

  it('is unsigned only outside production, with a warning', async () => {
    await assert.rejects(
      loadServedProfile(unsigned, options),
      /^ProfileError: signatures: the profile is not signed/,
    );
    const {
      verified,
      signed: carries,
      jwks: published,
      warnings,
    } = await loadServedProfile(unsigned, { ...options, production: false });
    assert.deepEqual({ verified, carries }, { verified: false, carries: false });
    assert.match(warnings[0] ?? '', /the profile is not signed/);
    assert.deepEqual(Buffer.from(published ?? []), Buffer.from(jwks), 'its keys are published all the same');
  });

  it('needs the public keys in production', async () => {
    const withoutKeys = { ...options, jwksPath: undefined };
    await assert.rejects(
      loadServedProfile(signed, withoutKeys),
      /cannot be verified without the public keys/,
    );
    const { verified, warnings } = await loadServedProfile(signed, { ...withoutKeys, production: false });
    assert.equal(verified, false);
    assert.equal(warnings.length, 1);
  });

  it('is refused with the reason where the key set is missing or broken', async () => {
    for (const path of ['/nowhere/keys.json', unsigned])
      await assert.rejects(
        loadServedProfile(signed, { ...options, jwksPath: path, production: false }),
        /^ProfileError: the key set cannot be used: /,
      );
  });

  it('may have expired: a server starts with it, warns, and answers no question from it', async () => {
    const now = new Date(PROFILE.expires_at);
    for (const path of [signed, unsigned]) {
      const { warnings } = await loadServedProfile(path, { ...options, now, production: false });
      assert.ok(warnings.some(warning => warning.includes('the profile expired at 2027-01-01T00:00:00Z')));
    }
  });

  it('is never one with a wrong signature, outside production neither', async () => {
    const foreign = file(await keySet(EDDSA_KEY));
    await assert.rejects(
      loadServedProfile(signed, { ...options, jwksPath: foreign, production: false }),
      ProfileError,
    );
  });
});
