import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { assertBestFirst } from '../support/support.ts';
import {
  type Answer,
  assertError,
  assertHeaders,
  BRANDS,
  callTool,
  close,
  command,
  DIAGNOSTIC,
  FIELDS,
  type Json,
  mailbox,
  newClient,
  PARTNER,
  production,
  profileOf,
  QUESTIONS,
  readJson,
  type Server,
  sharedServer,
  signedProfile,
  start,
  unsignedProfile,
} from './contract-fixture.ts';

after(close);

const ask = (server: Server, body: unknown) => server.post('/ask', body, { client: newClient() });

const TEXTS_OF_MATCH = ['claim_id', 'statement', 'category', 'confidence'];
const TEXTS_OF_PROOF = ['proof_id', 'type', 'title', 'summary', 'client', 'verifiable_by', 'confidentiality'];

for (const name of BRANDS) {
  const { query, claim, brand } = QUESTIONS[name];

  describe(`the ${name} brand`, () => {
    test('Natural-language questions are answered with ranked matches from a signed brand profile', async () => {
      const server = await sharedServer(name);
      const { status, json } = await ask(server, { query });
      assert.equal(status, 200);
      assert.equal(json.brand, brand);
      assert.equal(json.query, query);
      assert.equal(json.matches[0].claim_id, claim);
      assert.ok(readJson((await profileOf(name)).brand).signatures.length > 0);
      assertBestFirst(json.matches);
    });

    test('No generated text is returned', async () => {
      const server = await sharedServer(name);
      const profile = readJson((await profileOf(name)).brand);
      const { json } = await ask(server, { query });
      for (const { similarity: _, proofs, ...rest } of json.matches) {
        const { proof_ids, ...written } = profile.claims.find((row: Json) => row.claim_id === rest.claim_id);
        assert.deepEqual(rest, written);
        assert.deepEqual(
          proofs,
          proof_ids.map((id: string) => profile.proofs.find((row: Json) => row.proof_id === id)),
        );
      }
    });

    test('An AskResponse has brand, query and matches; a match and a proof have the members of their tables', async () => {
      const { json } = await ask(await sharedServer(name), { query });
      const { note: _, ...members } = json;
      assert.deepEqual(Object.keys(members), ['brand', 'query', 'matches']);
      assert.ok(json.matches.length > 0 && json.matches.length <= 5);
      for (const match of json.matches) {
        for (const member of TEXTS_OF_MATCH) assert.equal(typeof match[member], 'string', member);
        assert.equal(typeof match.boundary.applicable_for, 'string');
        assert.equal(typeof match.boundary.not_applicable_for, 'string');
        assert.ok(match.similarity >= 0 && match.similarity <= 1);
        assert.equal(match.similarity, Number(match.similarity.toFixed(4)));
        assert.ok(Array.isArray(match.proofs));
        for (const proof of match.proofs)
          assert.deepEqual(Object.keys(proof).toSorted(), TEXTS_OF_PROOF.toSorted());
      }
      const { metric } = json.matches[0];
      assert.deepEqual(Object.keys(metric).toSorted(), ['baseline', 'n', 'name', 'unit', 'value', 'window']);
    });

    test('An AskRequest is a JSON object without extra properties, and its query a text of at least one character', async () => {
      const server = await sharedServer(name);
      assert.equal((await ask(server, { query: 'a' })).status, 200);
      for (const wrong of [7, true, [query], { text: query }]) {
        const answer = await ask(server, { query: wrong });
        assertError(answer, [400, 'validation_error'], JSON.stringify(wrong));
        assert.match(answer.json.issues[0], /^query: /);
      }
      const extra = await ask(server, { query, limit: 3 });
      assertError(extra, [400, 'validation_error']);
      assert.match(extra.json.issues.join(), /limit/);
    });

    test('A query of 2000 characters is asked, and one more is a fault', async () => {
      const server = await sharedServer(name);
      assert.equal((await ask(server, { query: '🔔'.repeat(2000) })).status, 200);
      const answer = await ask(server, { query: 'x'.repeat(2001) });
      assertError(answer, [400, 'validation_error']);
      assert.deepEqual(answer.json.issues, ['query: at most 2000 characters']);
    });
  });
}

const SUBMITTED = {
  diagnostic: { path: '/api/v1/contact', valid: DIAGNOSTIC },
  partner: { path: '/api/v1/partners', valid: PARTNER },
} as const;

/** An address of exactly so many characters, with labels that mail allows. */
const address = (length: number) => {
  const domain = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(10)}.example`;
  return `${'a'.repeat(length - domain.length - 1)}@${domain}`;
};

/** The names before the colon of each issue. */
const named = ({ json }: Answer): string[] => json.issues.map((issue: string) => issue.split(':')[0]);

for (const form of ['diagnostic', 'partner'] as const) {
  const { path, valid } = SUBMITTED[form];
  const bounds = Object.entries(FIELDS[form]);
  const submit = async (body: unknown) =>
    (await sharedServer('en')).post(path, body, { client: newClient() });

  describe(`${form} request`, () => {
    test('All fields are required, and each is a text', async () => {
      for (const [field] of bounds) {
        for (const wrong of [undefined, null, 42, ['a text'], { a: 'text' }]) {
          const answer = await submit({ ...valid, [field]: wrong });
          assertError(answer, [400, 'validation_error'], field);
          assert.deepEqual(named(answer), [field]);
        }
      }
    });

    test('Each field may have its shortest and its longest length', async () => {
      const least = bounds.map(([field, [min]]) => [
        field,
        field === 'email' ? 'a@b.example' : 'x'.repeat(min),
      ]);
      const most = bounds.map(([field, [, max]]) => [
        field,
        field === 'email' ? address(max) : 'x'.repeat(max),
      ]);
      const emoji = bounds.map(([field, [, max]]) => [
        field,
        field === 'email' ? valid.email : '🔔'.repeat(max),
      ]);
      for (const body of [least, most, emoji])
        assert.equal((await submit(Object.fromEntries(body))).status, 200);
    });

    test('A field that is shorter or longer by one is named in the issues', async () => {
      for (const [field, [min, max]] of bounds) {
        const long = field === 'email' ? address(max + 1) : 'x'.repeat(max + 1);
        for (const wrong of [long, field === 'email' ? '' : 'x'.repeat(min - 1)]) {
          const answer = await submit({ ...valid, [field]: wrong });
          assertError(answer, [400, 'validation_error'], field);
          assert.deepEqual(named(answer), [field]);
        }
      }
    });

    test('The email has the format of an email', async () => {
      for (const email of [
        'ana',
        'ana@',
        '@client.example',
        'ana@@client.example',
        'ana ruiz@client.example',
      ]) {
        const answer = await submit({ ...valid, email });
        assertError(answer, [400, 'validation_error'], email);
        assert.deepEqual(named(answer), ['email']);
      }
    });

    test('One entry per invalid field', async () => {
      const answer = await submit({});
      assertError(answer, [400, 'validation_error']);
      assertHeaders(answer, path);
      assert.deepEqual(named(answer).toSorted(), Object.keys(FIELDS[form]).toSorted());
    });

    test('An extra property of a JSON object is a fault', async () => {
      const answer = await submit({ ...valid, phone: '600 000 000' });
      assertError(answer, [400, 'validation_error']);
      assert.match(answer.json.issues.join(), /phone/);
    });

    test('A body that is no JSON object is a fault', async () => {
      for (const body of [[], 'text', 7, null, [valid]]) assert.equal((await submit(body)).status, 400);
    });
  });
}

test('Size and level are free text', async () => {
  const server = await sharedServer('en');
  const body = { ...PARTNER, size: 'seven and a dog', level: 'whatever you offer' };
  assert.equal((await server.post('/api/v1/partners', body, { client: newClient() })).status, 200);
});

test('The form offers six team sizes, four program levels and a "not sure" choice', async () => {
  for (const name of BRANDS) {
    const server = await sharedServer(name);
    const page = (await server.send('/forms/partner', { headers: { Accept: 'text/html' } })).text;
    for (const [field, count] of [
      ['size', 6],
      ['level', 5],
    ] as const) {
      const place = page.indexOf(`name="${field}"`);
      assert.ok(place > 0, field);
      const list = /<(?:datalist|select)[\s\S]*?<\/(?:datalist|select)>/.exec(
        page.slice(page.lastIndexOf('<', place)),
      );
      const choices = list?.[0].match(/<option(?! value=""[\s>])/g);
      assert.equal(choices?.length, count, `${name}: ${field}`);
    }
  }
});

test('StatusOk has ok, status, service, api_version and time', async () => {
  const server = await sharedServer('es');
  const before = Date.now();
  const answer = await server.send('/api/v1/status', { client: newClient() });
  assert.equal(answer.status, 200);
  assertHeaders(answer, 'status');
  const { service, time, ...rest } = answer.json;
  assert.deepEqual(rest, { ok: true, status: 'ok', api_version: '1' });
  assert.equal(typeof service, 'string');
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  assert.ok(Date.parse(time) >= before - 1000 && Date.parse(time) <= Date.now() + 1000);
});

test('The message is Spanish where an action has English words alone', async () => {
  const words = {
    en: {
      title: 'Ask about a survey',
      purpose: 'Tell us about your tower.',
      context: 'How many bells, and since when.',
      thanks: 'We have received your enquiry about a survey.',
    },
  };
  const action = { enabled: true, words };
  const { brand, keys } = await signedProfile({
    actions: { request_diagnostic: action, apply_partner_program: action },
  });
  const server = await production((await mailbox()).url, { BRAND_FILE: brand, BRAND_JWKS: keys });
  const answers = [
    (await server.post('/api/v1/contact', DIAGNOSTIC)).json,
    (await server.post('/api/v1/partners', PARTNER)).json,
    (await server.mcp(callTool('request_diagnostic', DIAGNOSTIC))).json.result.structuredContent,
  ];
  for (const { message } of answers) {
    assert.match(message, /^Hemos recibido .*48 horas\./);
    assert.doesNotMatch(message, /received/);
  }
  await server.stop();
});

test('No profile can promise a reply after more than 48 hours', async () => {
  const actions = { request_diagnostic: { enabled: true, reply_hours: 72 } };
  const { brand } = await unsignedProfile({ actions });
  await assert.rejects(command('check', brand), /reply_hours/);
});

test("A proof may name the firm's own document", async () => {
  const { proofs } = readJson((await profileOf('en')).brand);
  const own = proofs.map((proof: Json) => ({
    ...proof,
    client: 'The Brand Ltd',
    confidentiality: 'on_request',
  }));
  const { brand, keys } = await signedProfile({ proofs: own });
  const server = await start({ BRAND_FILE: brand, BRAND_JWKS: keys });
  assert.equal(
    (await ask(server, { query: QUESTIONS.en.query })).json.matches[0].proofs[0].client,
    'The Brand Ltd',
  );
  await server.stop();
});

test('SubmitOk has ok, message and, outside production, mode; the message is in Spanish and says that a reply comes within 48 hours', async () => {
  for (const name of BRANDS) {
    const server = await sharedServer(name);
    for (const headers of [{}, { 'Accept-Language': 'en' }]) {
      for (const [path, body, message] of [
        ['/api/v1/contact', DIAGNOSTIC, /^Hemos recibido tu solicitud\. .*48 horas\./],
        [
          '/api/v1/partners',
          PARTNER,
          /^Hemos recibido tu candidatura al programa de partners\. .*48 horas\./,
        ],
      ] as const) {
        const answer = await server.post(path, body, { client: newClient(), headers });
        assert.equal(answer.status, 200);
        assertHeaders(answer, path);
        const { reference, ...submitOk } = answer.json;
        assert.deepEqual({ ...submitOk, message: '' }, { ok: true, message: '', mode: 'dry-run' });
        assert.match(answer.json.message, message);
        assert.ok(answer.json.message.includes(reference), 'besides the contract: the reference as a member');
      }
    }
  }
});
