import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask } from '../../server/cli/ask.ts';
import { folderWith } from '../support/folder.ts';
import { PROFILE } from '../trust/signed-profile.ts';

describe('aval ask', () => {
  it('does not answer from an expired profile, and says how to sign it again', async () => {
    const { signatures: _, ...profile } = PROFILE;
    const expired = { ...profile, issued_at: '2024-01-01T00:00:00Z', expires_at: '2025-01-01T00:00:00Z' };
    const file = folderWith({ 'brand.json': JSON.stringify(expired) })('brand.json');
    await assert.rejects(ask('¿Cuánto cuesta el diagnóstico?', { brand: file }), ({ message }: Error) => {
      assert.match(message, /^The brand profile has expired\./);
      assert.ok(message.includes(`aval sign ${file} --renew 1y`), message);
      return true;
    });
  });
});
