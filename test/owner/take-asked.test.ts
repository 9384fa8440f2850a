import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { personalDataIn } from '../../owner/personal-data.ts';
import { asked, takeAsked } from '../../server/cli/asked.ts';
import { check } from '../../server/cli/check.ts';
import type { AskedQuestion } from '../../tools/deliver.ts';
import { run } from '../cli/command.ts';
import { exampleModel } from '../support/example.ts';
import { folderWith } from '../support/folder.ts';
import { bytesOf, PROFILE } from '../trust/signed-profile.ts';

const opening = exampleModel();
const now = new Date('2026-06-01T12:00:00Z');

const kept = (query: string, daysAgo = 1): AskedQuestion => ({
  askedAtMs: now.getTime() - daysAgo * 86_400_000,
  query,
});

/** What visitors asked; some of it may not be published. */
const ASKED = [
  'is the first check free of charge?',
  'Is the first check free of charge',
  '=HYPERLINK("http://x") is the check free?',
  'how much better are my profits afterwards?',
  'do I need to pay before you look at my numbers?',
  'by how many points does margin go up?',
  'my number is 600 123 456, does the first look cost anything?',
  'write to ana@example.org what the first look costs',
  'did www.penarrubia.example pay for the first look?',
  'What does the first look cost?',
].map(query => kept(query));

const folder = async () => {
  const path = folderWith({
    'brand.json': bytesOf(PROFILE),
    'never-publish.txt': Buffer.from('penarrubia\n'),
  });
  const model = await opening;
  const options = { brand: path('brand.json'), model, sinceDays: 30, now, csv: path('asked.csv') };
  const listed = await run(output => asked({ ...options, readAsked: async () => ASKED }, output));
  assert.equal(listed.code, 0, listed.stderr);
  const take = (used = model) =>
    run(output => takeAsked(path('asked.csv'), { ...options, model: used }, output));
  const profile = async () => JSON.parse(await readFile(path('brand.json'), 'utf8'));
  return { path, take, profile, listed };
};

describe('questions that visitors asked', { timeout: 600_000 }, () => {
  it('go into a sheet, one group a row, with the claim that came first and no formula', async () => {
    const { path, listed } = await folder();
    const sheet = await readFile(path('asked.csv'), 'utf8');
    assert.match(
      sheet,
      /^\uFEFF"claim_id","statement","question","language","count","similarity","first","last"\n/,
    );
    assert.match(
      sheet,
      /"clm-price","A first diagnosis costs 0 euros\.","Is the first check free of charge","en","2"|"is the first check free of charge\?","en","2"/i,
    );
    assert.match(sheet, /"'=HYPERLINK/);
    assert.match(listed.stderr, /asked\.csv: \d+ rows\. Keep, change or empty claim_id, then: .* --take /);
  });

  it('become questions of their claim, unsigned, but for those with personal data or there already', async () => {
    const { take, profile, path } = await folder();
    const sheet = await readFile(path('asked.csv'), 'utf8');
    // An owner chooses the claim of every row.
    await writeFile(path('asked.csv'), sheet.replaceAll(/^"(?:clm-[a-z]+)?",/gm, '"clm-price",'));
    const { code, stdout, stderr } = await take();
    assert.equal(code, 0, stderr);
    for (const reason of [
      /left out: it has a telephone or document number \(my number/,
      /left out: it has an e-mail address \(write to/,
      /left out: never-publish\.txt lists “penarrubia” \(did www/,
      /left out: it is there already \(What does the first look cost\?\)/,
      /right first: \d before, \d after\n {2}in five: {5}\d before, \d after/,
      /row 9: taken, and clm-margin still comes first: is clm-price the claim that answers\? \(how much better/,
    ])
      assert.match(stdout, reason);
    assert.match(stderr, /The profile is not signed now\. Next: .* check .*, then .* sign /);
    const { questions, signatures, claims } = await profile();
    assert.equal(signatures, undefined);
    assert.deepEqual(claims, PROFILE.claims);
    const added = questions.slice(PROFILE.questions?.length);
    assert.ok(added.length >= 4);
    for (const { text, claim_id } of added) {
      assert.equal(claim_id, 'clm-price');
      assert.doesNotMatch(text, /600|@|rrubia/);
    }
    const again = await take();
    assert.equal(again.code, 3, 'nothing is taken twice');
    assert.match(again.stderr, /nothing was written/);
  });

  it('name an unknown claim, and stop at twelve with the two that are nearest', async () => {
    const { take, path } = await folder();
    const topics = 'Lima tea glass salt rice milk wine soap bread oil fish paper wool toys'.split(' ');
    const rows = topics.map(topic => `clm-price,what about ${topic} and nothing else?,en`);
    // A translation is nearer than any of these to another, and yet needed.
    rows.splice(1, 0, 'clm-price,what about Lima y nada más?,es');
    await writeFile(
      path('asked.csv'),
      ['claim_id,question,language', 'clm-prices,what is it?,en', ...rows].join('\n'),
    );
    const { stdout } = await take();
    assert.match(stdout, /row 2: left out: there is no claim clm-prices; did you mean clm-price\?/);
    assert.match(
      stdout,
      /its claim has 12 questions: “.*” and “.*” are nearest: remove one with aval csv export and import/,
    );
    assert.doesNotMatch(stdout, /nada más\?”/);
  });

  it('that a profile may not have are left out, each with its reason, and the profile can be signed', async () => {
    const { take, path, profile } = await folder();
    const rows = [
      'clm-price,what about\u200b tea?,en',
      'clm-price,what about tea?,',
      'clm-price,what about coffee?,Español',
      `clm-price,${'🌱'.repeat(150)},en`,
      `clm-price,${'🌱'.repeat(201)},en`,
      `clm-price,what about sk_live_${'a'.repeat(24)}?,en`,
    ];
    await writeFile(path('asked.csv'), ['claim_id,question,language', ...rows].join('\n'));
    const { code, stdout, stderr } = await take();
    assert.equal(code, 0, stderr);
    for (const reason of [
      /row 2: left out: its text has the character U\+200B, which nobody sees/,
      /row 4: left out: its language must be a language tag, like es or en-GB/,
      /row 6: left out: its text is longer than 200 characters/,
      /row 7: left out: its text has what looks like a private key/,
    ])
      assert.match(stdout, reason);
    const added = (await profile()).questions.slice(PROFILE.questions?.length);
    assert.deepEqual(added, [
      { text: 'what about tea?', claim_id: 'clm-price' },
      { text: '🌱'.repeat(150), language: 'en', claim_id: 'clm-price' },
    ]);
    const checked = await run(output => check(path('brand.json'), { now }, output));
    assert.equal(checked.code, 0, checked.stdout);
  });

  it('are not written into a profile with a fault, which is named', async () => {
    const { take, path } = await folder();
    const bytes = Buffer.from(JSON.stringify({ ...PROFILE, description: 'We work for Peñarrubia.' }));
    await writeFile(path('brand.json'), bytes);
    await writeFile(path('asked.csv'), 'claim_id,question,language\nclm-price,what about tea?,\n');
    const { code, stdout, stderr } = await take();
    assert.equal(code, 1);
    assert.match(stdout, /brand\.json:\d+: fault: description: says “penarrubia”/);
    assert.match(stderr, /Nothing was written/);
    assert.ok(bytes.equals(await readFile(path('brand.json'))));
  });

  it('overwrite nothing that an editor saved meanwhile', async () => {
    const { path, take } = await folder();
    const edited = JSON.stringify({ ...PROFILE, description: 'Edited meanwhile.' });
    const { embedder } = await opening;
    const embedQuestion = async (text: string) => {
      await writeFile(path('brand.json'), edited);
      return embedder.embedQuestion(text);
    };
    await assert.rejects(
      take({ ...(await opening), embedder: { ...embedder, embedQuestion } }),
      /brand\.json was changed meanwhile, so it was not written: run the command again/,
    );
    assert.equal(await readFile(path('brand.json'), 'utf8'), edited);
  });
});

describe('personal data', () => {
  const personal =
    'llámame al +34 600-12-34-56|mi DNI es 12345678Z|NIE X1234567L|ana (at) example.org|' +
    'cuenta ES91 2100 0418 4502 0005 1332';
  const harmless =
    '¿cuánto cuesta recorrer 2500 kms?|de 2023 a 2024 y después|is it 1000 or 1500 euros?|' +
    '¿abrís a las 10:30?|ISO 9001:2015';
  const isPersonal = (text: string) => personalDataIn(text, []) !== undefined;

  it('is told where it is exact, and prices, years and lengths are none', () => {
    assert.ok(personal.split('|').every(isPersonal));
    assert.ok(!harmless.split('|').some(isPersonal));
  });
});
