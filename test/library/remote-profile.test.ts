import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { verify } from '../../server/cli/verify.ts';
import { fetchDocument } from '../../server/library/profile-source.ts';
import { run } from '../cli/command.ts';
import { serve } from '../support/serve.ts';
import { bytesOf, EDDSA_KEY, ES256_KEY, keySet, NOW, PROFILE, signedBytes } from '../trust/signed-profile.ts';

const serving =
  (documents: Readonly<Record<string, Uint8Array>>): RequestListener =>
  ({ url = '' }, response) => {
    const bytes = documents[url];
    response.writeHead(bytes ? 200 : 404).end(bytes);
  };

const { proof_ids: _, ...claim } = PROFILE.claims[1]!;
const documents = {
  '/.well-known/brand.json': await signedBytes({ ...PROFILE, jwks_uri: 'https://evil.example/jwks.json' }),
  '/.well-known/jwks.json': await keySet(ES256_KEY),
  '/ask?q=free': bytesOf({
    brand: 'The Brand',
    query: 'free',
    matches: [{ ...claim, similarity: 0.7, proofs: [] }],
  }),
  '/ask?q=lie': bytesOf({
    brand: 'The Brand',
    query: 'lie',
    matches: [{ ...claim, claim_id: 'x', similarity: 0.7, proofs: [] }],
  }),
};

describe('a published profile', () => {
  it('is verified with the keys of its own host, whatever its jwks_uri says, and so is an answer', async t => {
    const origin = await serve(t, serving(documents));
    const codeOf = async (path: string) =>
      (await run(output => verify(origin + path, { now: NOW }, output))).code;
    for (const path of ['', '/es/', '/.well-known/brand.json', '/ask?q=free'])
      assert.equal(await codeOf(path), 0, path);
    assert.equal(await codeOf('/ask?q=lie'), 1);
  });

  it('is refused with the keys of another', async t => {
    const foreign = { ...documents, '/.well-known/jwks.json': await keySet(EDDSA_KEY) };
    const origin = await serve(t, serving(foreign));
    const { code, stdout } = await run(output => verify(origin, { now: NOW }, output));
    assert.equal(code, 1);
    assert.match(stdout, /^refused: signatures\[0\]: signed with a key that is not in the key set/);
  });
});

describe('a document on the network', () => {
  it('is fetched over https alone, except from this machine', async () => {
    await assert.rejects(fetchDocument(new URL('http://brand.example/a.json')), /only https can be trusted/);
    await assert.rejects(fetchDocument(new URL('file:///etc/hosts')), /only https/);
  });

  for (const [what, listener, message] of [
    [
      'behind a redirect',
      (_request, response) => response.writeHead(302, { location: '/other' }).end(),
      /answered 302: a redirect is not followed/,
    ],
    ['that is missing', (_request, response) => response.writeHead(404).end('no'), /answered 404/],
    ['without an end', (_request, response) => endless(response), /the answer is larger than 16 MB/],
  ] satisfies [string, RequestListener, RegExp][]) {
    it(`is refused ${what}`, async t => {
      const url = new URL(await serve(t, listener));
      await assert.rejects(
        fetchDocument(url),
        error => error instanceof Error && message.test(error.message),
      );
    });
  }
});

function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}
