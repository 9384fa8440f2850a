import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Claim, Profile } from '../../brand/profile/schema.ts';
import { buildBrand } from '../../brand/retrieval/ask.ts';
import type { Embedder } from '../../brand/retrieval/brand.ts';
import { claimTexts, unreadClaims } from '../../brand/retrieval/claim-texts.ts';
import { readClaims } from '../../brand/retrieval/claim-vectors.ts';
import { createKeptVectors } from '../../server/run/kept-vectors.ts';
import { brandWith, PROFILE } from '../support/example.ts';
import { temporaryFolder } from '../support/folder.ts';

const CLAIM: Claim = {
  claim_id: 'clm-one',
  statement: 'Afinamos pianos.',
  category: 'servicios',
  metric: { name: 'precio', value: 90 },
  boundary: { applicable_for: 'Pianos verticales.', not_applicable_for: 'Órganos.' },
  confidence: 'high',
  proof_ids: [],
};

const profileWith = (questions: Profile['questions'], claims = [CLAIM], language = 'es') => ({
  claims,
  questions,
  language,
});

const question = (text: string, language?: string) => ({
  text,
  claim_id: 'clm-one',
  ...(language !== undefined && { language }),
});

/** Turns a text into a vector of its length, and records what it reads. */
function countingEmbedder(digest = 'model') {
  const read: string[] = [];
  const embed = async (text: string) => {
    read.push(text);
    return Float32Array.of(1, text.length / 1000);
  };
  const embedder: Embedder = { digest, embedQuestion: embed, embedClaim: embed, close: async () => {} };
  return { embedder, read };
}

describe('the texts of a claim', () => {
  it('are its questions, statement, metric name and limits, and its questions alone', () => {
    assert.deepEqual(claimTexts(profileWith([question('¿Afináis?')])), [
      { stated: '¿Afináis? Afinamos pianos. precio. Pianos verticales. Órganos.', asked: '¿Afináis?' },
    ]);
    assert.deepEqual(claimTexts(profileWith(undefined)), [
      { stated: 'Afinamos pianos. precio. Pianos verticales. Órganos.' },
    ]);
  });

  it("put questions of the profile's language first, by the first part of its tag, and take twelve", () => {
    const [texts] = claimTexts(
      profileWith([question('a', 'en'), question('b', 'es-MX'), question('c'), question('d', 'EN-gb')]),
    );
    assert.equal(texts?.asked, 'b c a d');
    const many = Array.from({ length: 20 }, (_, place) => question(`q${place}`));
    assert.equal(claimTexts(profileWith(many))[0]?.asked?.split(' ').length, 12);
  });

  it('are told where the encoder does not read them to their end', () => {
    const boundary = { ...CLAIM.boundary, applicable_for: 'Pianos verticales. '.repeat(50) };
    assert.deepEqual(unreadClaims(profileWith([question('¿Afináis?')])), []);
    assert.deepEqual(unreadClaims(profileWith([], [CLAIM, { ...CLAIM, boundary }])), [1]);
  });
});

describe('the vector of a claim', () => {
  it('is .6 of what it states and .4 of its questions, not brought back to length 1', async () => {
    const { embedder } = countingEmbedder();
    const [vector] = await readClaims([{ stated: 'x'.repeat(500), asked: 'y'.repeat(100) }], embedder, {});
    assert.deepEqual(vector, Float32Array.of(1, 0.6 * 0.5 + 0.4 * 0.1));
  });

  it('is kept in one file of DATA_DIR, so that only new claims are read', async () => {
    const folder = temporaryFolder();
    const kept = createKeptVectors(folder, { writes: true, note: assert.fail });
    const first = countingEmbedder();
    const before = await readClaims([{ stated: 'one' }, { stated: 'two' }], first.embedder, { kept });
    const second = countingEmbedder();
    const after = await readClaims([{ stated: 'two' }, { stated: 'three' }], second.embedder, { kept });
    assert.deepEqual(second.read, ['three']);
    assert.deepEqual(after[0], before[1]);
    const otherModel = countingEmbedder('another model');
    await readClaims([{ stated: 'two' }], otherModel.embedder, { kept });
    assert.deepEqual(otherModel.read, ['two']);
  });

  it('is read again where the file is damaged, with a line that says so', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'claim-vectors.bin');
    const notes: string[] = [];
    const kept = createKeptVectors(folder, { writes: true, note: message => notes.push(message) });
    await readClaims([{ stated: 'one' }], countingEmbedder().embedder, { kept });
    const bytes = readFileSync(file);
    const flipped = Array.from(bytes, (byte, index) => Buffer.from(bytes).fill(byte ^ 1, index, index + 1));
    for (const damaged of [bytes.subarray(0, -1), Buffer.from('{'), ...flipped]) {
      writeFileSync(file, damaged);
      const { embedder, read } = countingEmbedder();
      await readClaims([{ stated: 'one' }], embedder, { kept });
      assert.deepEqual(read, ['one']);
      assert.match(notes.pop() ?? '', /claim-vectors\.bin is damaged: all claims are read again/);
    }
  });
});

describe('a brand', () => {
  it('gives the questions of the owner to the search and never into an answer', async () => {
    const questions = [{ text: '¿me arregláis el cacharro que suena raro?', claim_id: 'clm-guarantee' }];
    const asking = '¿arregláis mi cacharro que suena raro?';
    const withQuestion = await brandWith({ profile: { ...PROFILE, questions } });
    const answer = await withQuestion.ask(asking);
    assert.equal(answer.matches[0]?.claim_id, 'clm-guarantee');
    assert.doesNotMatch(JSON.stringify(answer.matches), /cacharro/);
    const without = await brandWith({ profile: { ...PROFILE, questions: [] } });
    assert.notEqual((await without.ask(asking)).matches[0]?.claim_id, 'clm-guarantee');
  });

  it('answers a repeated question without reading it again', async () => {
    const { embedder, read } = countingEmbedder();
    const brand = await buildBrand({ profile: PROFILE, digest: '', model: { embedder } });
    const claimsRead = read.length;
    const [first, second] = await Promise.all([brand.ask('precio'), brand.ask(' precio ')]);
    assert.equal(first, second);
    assert.equal(await brand.ask('precio'), first);
    assert.equal(read.length, claimsRead + 1);
  });

  it('has the five nearest claims, in an order without a threshold, where its model is not calibrated', async () => {
    const brand = await buildBrand({
      profile: PROFILE,
      digest: '',
      model: { embedder: countingEmbedder().embedder },
    });
    const { matches, note } = await brand.ask('asdfgh');
    assert.deepEqual([brand.calibrated, matches.length, note], [false, 5, undefined]);
  });
});
