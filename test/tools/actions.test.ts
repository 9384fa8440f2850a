import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeliverOutcome } from '../../tools/deliver.ts';
import { TOOLS } from '../../tools/index.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { faultsOf, WORDS } from '../trust/signed-profile.ts';
import { toolContext } from './tool-context.ts';

const NONE = ' No te enviamos confirmación por correo.';
const LATER = ' La confirmación por correo te llegará más tarde.';

describe('the answer to a submission', () => {
  it('says of a confirmation that it waits or does not come, else nothing', async () => {
    const tool = TOOLS.find(({ name }) => name === 'request_diagnostic');
    assert.ok(tool);
    const sentences = { pending: '', delivered: '', waiting: LATER, skipped: NONE, failed: NONE };
    for (const [confirmation, sentence] of Object.entries(sentences)) {
      const deliver = async () =>
        ({ outcome: 'delivered', id: '1', reference: 'ABCD-1234', confirmation }) as DeliverOutcome;
      const result = await tool.call(DIAGNOSTIC, toolContext({ deliver }), () => {});
      assert.ok(
        JSON.stringify(tool.body(result)).includes(`Referencia: ABCD-1234.${sentence}"`),
        confirmation,
      );
    }
  });
});

describe('the actions and questions of a profile', () => {
  it('are taken in the words of the owner', () => {
    const actions = {
      request_diagnostic: { enabled: true, reply_hours: 24, fields: ['company'], words: { en: WORDS } },
    };
    assert.deepEqual(
      faultsOf({ actions, questions: [{ text: 'What does it cost?', claim_id: 'clm-price' }] }),
      [],
    );
    assert.deepEqual(faultsOf({ actions: {} }), []);
  });

  it('have their faults named: an unknown action, a field of another, a time nobody can keep, words that are missing', () => {
    const request_diagnostic = {
      enabled: 'yes',
      reply_hours: 0,
      fields: ['size'],
      words: { english: WORDS },
    };
    assert.deepEqual(faultsOf({ actions: { request_diagnostic, call_me: {} } }), [
      'actions.request_diagnostic.enabled: must be true or false, without quotes',
      'actions.request_diagnostic.reply_hours: must be at least 1',
      'actions.request_diagnostic.fields[0]: must be one of "company", "role", "country"',
      'actions.request_diagnostic.words.english: must be a language tag',
      'actions.call_me: unknown member',
    ]);
    const foreign = { enabled: true, words: { es: WORDS } };
    assert.deepEqual(faultsOf({ actions: { request_diagnostic: foreign } }), [
      'actions.request_diagnostic.words: has no words in the language of the profile (en)',
    ]);
  });
});
