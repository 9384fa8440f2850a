import assert from 'node:assert/strict';
import { createHmac, webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { canonicalize as secondCanonicalize } from 'json-canonicalize';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import {
  createPrivateKey,
  KeyError,
  type PrivateKey,
  publicKeyOf,
  readKeySet,
} from '../../brand/trust/keys.ts';
import { canonicalBytes, signDocument, verifySignatures } from '../../brand/trust/signature.ts';
import { bytesOf, EDDSA_KEY, ES256_KEY, keySet, PROFILE, signedBytes } from './signed-profile.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function outcomes(document: unknown, ...keys: readonly PrivateKey[]): Promise<string[]> {
  const checks = await verifySignatures(document, keys.map(publicKeyOf));
  return checks.map(({ outcome }) => outcome);
}

describe('the canonical bytes', () => {
  it('are those of the example in RFC 8785, section 3.2.2', () => {
    const document: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    assert.equal(
      text(canonicalBytes(document)),
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });
});

describe('a signature', async () => {
  const document = { b: [1.5, 'ñ€\u{1F600}'], a: { z: null, Á: true, A: '"\\\n\u000f' } };

  it('has, with the EdDSA key of RFC 8037, exactly this value', async () => {
    assert.deepEqual(await signDocument(document, EDDSA_KEY), {
      protected: encode({ alg: 'EdDSA', kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', typ: 'JOSE' }),
      signature: 'nG8WL91HrVFi5KHB4Njxp0yVuZaCz44Vf4Glluyy61mPFTDnJKuBw7unrQICBBeudCsFISkVszULTWg0frZaBg',
    });
  });

  it('made with the ES256 key of RFC 7515 long ago still verifies', async () => {
    const signature = {
      protected: encode({ alg: 'ES256', kid: 'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U', typ: 'JOSE' }),
      signature: '9g_5wLFkd62E0vG_3Oiyk_JaKgyyfWsn83QFTdc4HFWsylNLSjvOrndzhwVjtgvaxeB0LHam_6ElUJKy3bumXA',
    };
    assert.deepEqual(await outcomes({ ...document, signatures: [signature] }, ES256_KEY), ['verified']);
  });

  it('of a new key verifies with its published half', async () => {
    for (const alg of ['ES256', 'EdDSA'] as const) {
      const key = await createPrivateKey(alg);
      assert.equal(key.alg, alg);
      const signed = readStrictJson(await signedBytes(PROFILE, [key]));
      const [check] = await verifySignatures(signed, await readKeySet(await keySet(ES256_KEY, key)));
      assert.deepEqual([check?.outcome, check?.kid], ['verified', key.kid]);
    }
  });

  it('has one text: another last letter with the same bytes is no signature', async () => {
    const { signatures, ...rest } = JSON.parse(text(await signedBytes(PROFILE, [ES256_KEY])));
    const [{ signature, ...header }] = signatures;
    const next = String.fromCharCode(signature.charCodeAt(signature.length - 1) + 1);
    const other = `${signature.slice(0, -1)}${next}`;
    assert.deepEqual(Buffer.from(other, 'base64url'), Buffer.from(signature, 'base64url'));
    const edited = readStrictJson(bytesOf({ ...rest, signatures: [{ ...header, signature: other }] }));
    assert.deepEqual(await outcomes(edited, ES256_KEY), ['bad_signature']);
  });

  it('breaks with a change in any member of a claim or a proof', async () => {
    const signed = text(await signedBytes(PROFILE, [ES256_KEY, EDDSA_KEY]));
    const { claims, proofs } = PROFILE;
    for (const value of [claims[0]?.statement, claims[0]?.claim_id, proofs[0]?.title, proofs[0]?.client]) {
      const edited = readStrictJson(Buffer.from(signed.replace(`${value}`, `${value}.`)));
      const broken = ['bad_signature', 'bad_signature'];
      assert.deepEqual(await outcomes(edited, ES256_KEY, EDDSA_KEY), broken, value);
    }
  });

  const header = (members: object) => encode({ alg: 'ES256', kid: ES256_KEY.kid, typ: 'JOSE', ...members });
  const { signature: es256 } = await signDocument(document, ES256_KEY);
  const { signature: eddsa } = await signDocument(document, EDDSA_KEY);
  /** With the public key as the secret. */
  const hs256 = createHmac('sha256', JSON.stringify(publicKeyOf(ES256_KEY).jwk))
    .update(`${header({ alg: 'HS256' })}.${Buffer.from(canonicalBytes(document)).toString('base64url')}`)
    .digest('base64url');
  const twice = Buffer.from('{"alg":"ES256","alg":"none","kid":"a","typ":"JOSE"}').toString('base64url');
  const refused: Readonly<Record<string, unknown>> = {
    'under the alg none': { protected: header({ alg: 'none' }), signature: 'AA' },
    'under HS256': { protected: header({ alg: 'HS256' }), signature: hs256 },
    'under the alg of another key': { protected: header({ alg: 'EdDSA' }), signature: eddsa },
    'with crit and b64': { protected: header({ crit: ['b64'], b64: false }), signature: es256 },
    'with a key': { protected: header({ jwk: ES256_KEY.jwk }), signature: es256 },
    'with an unprotected header': { protected: header({}), signature: es256, header: {} },
    'with a header that has a name twice': { protected: twice, signature: 'AA' },
    'without any parts': 'signature',
  };
  for (const [what, signature] of Object.entries(refused)) {
    it(`is refused ${what}`, async () => {
      const [outcome] = await outcomes({ ...document, signatures: [signature] }, ES256_KEY, EDDSA_KEY);
      assert.match(outcome ?? '', /^(alg_not_allowed|malformed)$/);
    });
  }

  it('is refused, and nothing thrown, where the published key is no point of its curve', async () => {
    const { kty, crv, x } = publicKeyOf(ES256_KEY).jwk;
    const keys = await readKeySet(bytesOf({ keys: [{ kty, crv, x, y: 'A'.repeat(43) }] }));
    const signature = await signDocument(document, { ...ES256_KEY, kid: keys[0]?.kid ?? '' });
    const [check] = await verifySignatures({ ...document, signatures: [signature] }, keys);
    assert.equal(check?.outcome, 'bad_signature');
  });
});

describe('a key set', () => {
  it('names keys by their thumbprint, whatever it calls them', async () => {
    const { jwk } = publicKeyOf(ES256_KEY);
    const [key] = await readKeySet(bytesOf({ keys: [{ ...jwk, kid: 'mine', alg: 'ES256' }] }));
    assert.equal(key?.kid, ES256_KEY.kid);
  });

  it('is refused with a private key in it, and when it is none or has more than a hundred keys', async () => {
    for (const jwk of [ES256_KEY.jwk, { kty: 'oct', k: 'AA' }])
      await assert.rejects(readKeySet(bytesOf({ keys: [jwk] })), /^KeyError: keys\[0\]: a private key/);
    const keys = Array.from({ length: 101 }, () => ({ kty: 'RSA' }));
    assert.deepEqual(await readKeySet(bytesOf({ keys: keys.slice(1) })), []);
    for (const bytes of [bytesOf({ keys }), bytesOf({ keys: {} }), new Uint8Array()])
      await assert.rejects(readKeySet(bytes), KeyError);
  });
});

describe('the signed example', () => {
  it('is verified by a second implementation: WebCrypto over another RFC 8785 package', async () => {
    const { signatures, ...document } = JSON.parse(await readFile('examples/brand.json', 'utf8'));
    const { keys } = JSON.parse(await readFile('examples/brand.jwks.json', 'utf8'));
    const payload = secondCanonicalize(document);
    assert.equal(payload, text(canonicalBytes(document)));
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const key = await webcrypto.subtle.importKey('jwk', keys[0], algorithm, false, ['verify']);
    const input = Buffer.from(`${signatures[0].protected}.${Buffer.from(payload).toString('base64url')}`);
    const signature = Buffer.from(signatures[0].signature, 'base64url');
    assert.ok(await webcrypto.subtle.verify(algorithm, key, signature, input));
  });
});
