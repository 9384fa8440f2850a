import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkProfile } from '../../owner/check-profile.ts';
import { bytesOf, NOW, PROFILE } from '../trust/signed-profile.ts';

const [margin, price] = PROFILE.claims;

const findings = async (changes: object) => {
  const report = await checkProfile(bytesOf({ ...PROFILE, ...changes }), { now: NOW });
  const pairs = (list: typeof report.faults) =>
    list.filter(({ code }) => code !== 'unsigned').map(({ code, path }) => `${code} ${path}`);
  return { faults: pairs(report.faults), warnings: pairs(report.warnings) };
};

/** As long as the members of a P-256 key; no key has it. */
const SECRET = 'a'.repeat(43);

/** A member that an owner may write wrongly, and what check finds then. */
const FAULTS: readonly (readonly [what: string, changes: object, finding: string])[] = [
  ['no description', { description: undefined }, 'no_description description'],
  [
    'a logo whose port no address has',
    { logos: [{ url: 'https://acme.example:99999/logo.png' }] },
    'web_address logos[0].url',
  ],
  [
    'a privacy policy that is no address',
    { privacy_policy_url: '/privacy' },
    'web_address privacy_policy_url',
  ],
  ['a private key', { note: '-----BEGIN EC PRIVATE KEY-----' }, 'secret note'],
  [
    'a private key as a JWK',
    { contacts: [{ key: { kty: 'EC', crv: 'P-256', x: SECRET, y: SECRET, d: SECRET } }] },
    'secret contacts[0].key.d',
  ],
  ['a private key as the text of a JWK', { note: JSON.stringify({ kty: 'OKP', d: SECRET }) }, 'secret note'],
  ['the key of a service', { note: `our key is sk_live_${'a'.repeat(24)}` }, 'secret note'],
  ['a text that runs backwards', { description: 'A \u202Efirm.' }, 'hidden_character description'],
  [
    'a text in characters that nobody sees',
    { description: 'A firm.\u{E0041}' },
    'hidden_character description',
  ],
  ['an expired date', { expires_at: '2026-02-01T00:00:00Z' }, 'expired expires_at'],
];

const WARNINGS: typeof FAULTS = [
  ['an account number', { note: 'ES91 2100 0418 4502 0005 1332' }, 'bank_account note'],
  ['claims without questions', { questions: [] }, 'no_questions questions'],
  [
    'a sentence twice',
    { claims: [margin, { ...price, statement: 'we raise the GROSS margin by 3.4 points' }] },
    'same_statement claims[1].statement',
  ],
  [
    'one metric with two values',
    { claims: [margin, { ...price, metric: { ...margin?.metric, value: 4 } }] },
    'two_values claims[1].metric.value',
  ],
  [
    'a limit beyond what search reads',
    {
      claims: [
        margin,
        { ...price, boundary: { ...price?.boundary, applicable_for: 'Firms with sales. '.repeat(60) } },
      ],
    },
    'unread claims[1]',
  ],
  ['a text that aval init wrote', { description: 'EXAMPLE: what you do.' }, 'example description'],
  ['a near end', { expires_at: '2026-06-20T00:00:00Z' }, 'expires_soon expires_at'],
];

describe('aval check', () => {
  it('finds nothing in a profile that lacks nothing', async () => {
    assert.deepEqual(await findings({}), { faults: [], warnings: [] });
  });

  for (const [what, changes, finding] of FAULTS)
    it(`finds ${what}, a fault`, async () => {
      assert.deepEqual((await findings(changes)).faults, [finding]);
    });

  for (const [what, changes, finding] of WARNINGS)
    it(`finds ${what}, a warning`, async () => {
      assert.deepEqual(await findings(changes), { faults: [], warnings: [finding] });
    });

  it('finds nothing but the fault of JSON in a text that is none, however deep', async () => {
    for (const [text, code] of [
      ['{"profile": "brand-profile/1" "claims": []}', 'json_syntax'],
      ['['.repeat(1_000_000), 'json_deep'],
    ] as const) {
      const report = await checkProfile(new TextEncoder().encode(text), { now: NOW });
      assert.deepEqual([report.faults.map(fault => fault.code), report.warnings], [[code], []]);
    }
  });

  it('finds what readers of JSON take differently, beside the faults of the profile', async () => {
    const text = JSON.stringify({ ...PROFILE, url: 'acme.example' }).replace('{', '{"id":"other","n":1e400,');
    const { faults } = await checkProfile(new TextEncoder().encode(text), { now: NOW });
    assert.deepEqual(faults.map(({ code }) => code).sort(), ['json_huge', 'json_same_name', 'web_address']);
  });

  it('finds no secret in a public key', async () => {
    const key = { kty: 'EC', crv: 'P-256', x: SECRET, y: SECRET, kid: SECRET };
    assert.deepEqual(await findings({ key }), { faults: [], warnings: [] });
  });

  it('leaves right statements alone, whatever their figures say', async () => {
    const statements = [
      'Our support costs £1,250 a month, £15,000 a year.',
      'Sales grow 2.5 times, which is 150 % more.',
      'We are the fastest.',
      'An order of number ES91 2100 0418 4502 0005 1333 is no account.',
    ];
    for (const statement of statements) {
      const metric = { ...margin?.metric, value: 15_000, unit: 'GBP a year' };
      const claims = [{ ...margin, statement, metric }, price];
      assert.deepEqual(await findings({ claims }), { faults: [], warnings: [] }, statement);
    }
  });

  it('counts the claims without questions, and says what they cost', async () => {
    const { warnings } = await checkProfile(bytesOf({ ...PROFILE, questions: PROFILE.questions?.slice(1) }), {
      now: NOW,
    });
    const [finding] = warnings.filter(({ code }) => code === 'no_questions');
    assert.equal(finding?.message, '1 of 2 claims have no question');
    assert.match(finding?.fix ?? '', /two in each language.*72 times in 100, not 56/);
  });
});
