import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import { readProfile } from '../brand/profile/profile.ts';
import { exportClaims } from '../owner/commands/export.ts';
import { sign } from '../owner/signing/sign.ts';
import { CLAIM, NOW, profileFolder } from './studio-support.ts';

/** Of a script in a policy, ready for a regular expression. */
const digestOf = (script: string) => createHash('sha256').update(script).digest('base64').replaceAll('+', '\\+');

const SILENT = { stdout: { write: () => {} }, stderr: { write: () => {} } };

it('a page of all claims for any host has their words, questions as schema.org, and the signed bytes; it loads nothing and runs no script but the check', async () => {
  const hostile = { ...CLAIM, claim_id: 'clm-x', statement: 'Cobramos 9 euros </script><script>alert(1)</script>.' };
  const { path, read, write } = await profileFolder([CLAIM, hostile]);
  const questions = [{ text: '¿Cuánto cuesta una sesión?', claim_id: CLAIM.claim_id }];
  await write({ ...(await read()), questions });
  const page = path('claims.html');
  await assert.rejects(exportClaims(undefined, { brand: path('brand.json'), html: page }, SILENT), /is not signed by/);
  await sign(path('brand.json'), { yes: true, keys: [path('brand.key.json')], now: NOW }, SILENT);
  await exportClaims(undefined, { brand: path('brand.json'), html: page }, SILENT);
  const text = await readFile(page, 'utf8');
  assert.ok(text.includes(CLAIM.statement) && text.includes(CLAIM.boundary.not_applicable_for));
  assert.doesNotMatch(text, /\ssrc=|url\(/);
  const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  assert.equal(scripts.length, 1);
  assert.match(text, new RegExp(`script-src 'sha256-${digestOf(scripts[0] ?? '')}'; connect-src data:;`));
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '');
  assert.equal(data['@type'], 'FAQPage');
  assert.equal(data.mainEntity[0].name, '¿Cuánto cuesta una sesión?');
  assert.ok(data.mainEntity[0].acceptedAnswer.text.startsWith(`${CLAIM.statement} Se aplica a: `));
  const [, base64 = ''] = /href="data:application\/json;base64,([^"]+)" download="brand\.json"/.exec(text) ?? [];
  assert.equal(readProfile(Buffer.from(base64, 'base64')).signed, true);
  assert.deepEqual(Buffer.from(base64, 'base64'), await readFile(path('brand.json')));
});
