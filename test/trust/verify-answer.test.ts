import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { proveAnswer } from '../../brand/trust/prove-answer.ts';
import { BYTES, brandWith, PROFILE as EXAMPLE } from '../support/example.ts';
import { bytesOf, ES256_KEY, keySet, NOW, PROFILE, signedBytes } from './signed-profile.ts';

const SOURCE = { brand: await signedBytes(), jwks: await keySet(ES256_KEY), now: NOW };
const [margin, price] = PROFILE.claims.map(({ proof_ids, ...claim }, index) => ({
  ...claim,
  similarity: 0.9 - index / 2,
  proofs: PROFILE.proofs.filter(proof => proof_ids.includes(proof.proof_id)),
}));
const answer = { brand: 'The Brand', query: 'what?', matches: [margin, price] };

/** The first difference, `none` where the answer is proven. */
async function differenceIn(changed: unknown): Promise<string> {
  const { proven, difference } = (await proveAnswer(bytesOf(changed), SOURCE)).answer;
  assert.equal(proven, difference === undefined);
  return difference ? `${difference.path}: ${difference.message}` : 'none';
}

describe('an answer that is proven', () => {
  it('is one of the real retrieval over the signed example', async () => {
    const source = {
      brand: BYTES,
      jwks: readFileSync('examples/brand.jwks.json'),
      now: new Date(EXAMPLE.issued_at),
    };
    const brand = await brandWith();
    const notes = [];
    for (const question of [
      '¿cuánto cuesta el diagnóstico?',
      'Do you help with wine and beer?',
      '¿Qué tiempo hará mañana en Marte?',
    ]) {
      const asked = await brand.ask(question);
      notes.push(asked.note?.split(/[:.]/, 1)[0]);
      assert.equal((await proveAnswer(bytesOf(asked), source)).answer.proven, true, question);
    }
    assert.deepEqual(notes, [undefined, undefined, 'No claim answers this']);
  });

  it('may carry the note of an empty answer, and no other words in its place', async () => {
    const empty =
      'No claim answers this. Say so. The brand describes itself: “A consultancy for makers of packaged food.” To ask a person: the action request_diagnostic sends the question to the team.';
    assert.equal(await differenceIn({ ...answer, matches: [], note: empty }), 'none');
    for (const note of ['We guarantee it.', `${empty} We guarantee it.`, 7])
      assert.match(await differenceIn({ ...answer, matches: [], note }), /^note: /);
    assert.match(await differenceIn({ ...answer, note: empty }), /^note: /);
  });
});

/** A change that somebody may make to an answer: what it is, and the value with it. */
type Change = readonly [what: string, changed: unknown];

/** Nobody signs these, and whether a server adds its note is its own decision. */
const FREE = ['query', 'similarity', 'note'];

const FORGED = 'We double your sales.';

/** Every single change of a value from JSON that alters what it says. */
function changesOf(value: unknown, path = ''): Change[] {
  const here = (...changed: unknown[]) =>
    changed.map((other): Change => [`${path} = ${JSON.stringify(other)}`, other]);
  if (typeof value === 'string')
    return here(
      value.slice(1),
      `${value} `,
      `${value} Guaranteed.`,
      `${value.toUpperCase()}x`,
      FORGED,
      null,
      [value],
    );
  if (typeof value === 'number') return here(value + 1, value * 10 + 1, -value - 1, String(value), null);
  if (Array.isArray(value)) {
    const entries = value.flatMap((entry, index) => [
      // A server may find fewer matches; a proof belongs to its claim.
      ...(path === '.matches' ? [] : here(value.toSpliced(index, 1))),
      ...changesOf(entry, `${path}[${index}]`).map(
        ([what, other]): Change => [what, value.with(index, other)],
      ),
    ]);
    const reversed = value.length > 1 ? here(value.toReversed()) : [];
    return [...here(null, {}, [...value, value[0] ?? {}]), ...reversed, ...entries];
  }
  const object = Object(value);
  const members = Object.keys(object).filter(name => !FREE.includes(name));
  const changedMembers = members.flatMap((name): Change[] => {
    const { [name]: member, ...others } = object;
    const inside = changesOf(member, `${path}.${name}`);
    return [
      [`${path}.${name} taken away`, others],
      ...here({ ...others, [`${name}_`]: member }),
      ...inside.map(([what, other]): Change => [what, { ...object, [name]: other }]),
    ];
  });
  return [...here(null, [], '', { ...object, guarantee: FORGED }), ...changedMembers];
}

describe('a changed answer', () => {
  it('is never proven: each of more than two hundred changes', async () => {
    assert.equal(await differenceIn(answer), 'none');
    const changes = changesOf(answer);
    assert.ok(changes.length > 200, String(changes.length));
    for (const [what, changed] of changes) assert.notEqual(await differenceIn(changed), 'none', what);
  });

  it('is refused with the place of the difference, also where the matches do not stand best first', async () => {
    const forged = { ...answer, matches: [margin, { ...price, statement: FORGED }] };
    assert.equal(await differenceIn(forged), 'matches[1].statement: differs from the profile');
    assert.match(
      await differenceIn({ ...answer, matches: [price, margin] }),
      /^matches\[1\]\.similarity: is larger/,
    );
  });

  it('is refused with a claim that stands in it twice', async () => {
    const repeated = { ...answer, matches: [margin, price, { ...price, similarity: 0.1 }] };
    assert.match(await differenceIn(repeated), /^matches\[2\]\.claim_id: .+ stands here twice$/);
  });
});

describe('what is no answer', () => {
  const text = JSON.stringify(answer);
  for (const [what, body, difference] of [
    ['an error body', { ok: false, error: 'no', code: 'missing_query', hint: '' }, /^brand: /],
    ['prose', 'They are great', /./],
    ['a forged match beside the matches', { ...answer, more: [margin] }, /^more: is no part of an answer$/],
    [
      'a result of MCP',
      { content: [{ type: 'text', text }], structuredContent: answer },
      /structuredContent/,
    ],
    ['a response of JSON-RPC', { jsonrpc: '2.0', id: 1, result: answer }, /structuredContent/],
  ] as const)
    it(`is refused: ${what}`, async () => assert.match(await differenceIn(body), difference));

  it('is refused: a text that is no JSON, and one with a name twice', async () => {
    for (const bytes of ['brand', '{"brand":"The Brand","brand":"The Brand","query":"","matches":[]}'])
      assert.equal((await proveAnswer(Buffer.from(bytes), SOURCE)).answer.proven, false);
  });
});
