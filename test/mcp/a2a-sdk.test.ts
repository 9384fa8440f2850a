import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Role } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { bodyOf, startApp } from '../support/support.ts';
import { question } from './clients/javascript.ts';

async function connect(t: TestContext, env: Record<string, string> = {}) {
  const { url } = await startApp(t, { env });
  return { url, client: await new ClientFactory().createFromUrl(url) };
}

describe('the official A2A SDK', () => {
  it('finds the agent by its address and gets the answer of /ask to a question', async t => {
    const { url, client } = await connect(t);
    const reply = await client.sendMessage(question('¿Cuánto cuesta el diagnóstico?'));
    assert.ok('parts' in reply && reply.role === Role.ROLE_AGENT);
    const [part] = reply.parts;
    assert.equal(part?.content?.$case, 'data');
    const answer = await bodyOf(
      await fetch(`${url}/ask?q=${encodeURIComponent('¿Cuánto cuesta el diagnóstico?')}`),
    );
    assert.deepEqual(part.content.value, answer);
  });

  it('recognises the errors as those of the protocol', async t => {
    const { client } = await connect(t);
    const id = { tenant: '', id: 't-1' };
    await assert.rejects(client.getTask({ ...id, historyLength: undefined }), { name: 'TaskNotFoundError' });
    await assert.rejects(client.cancelTask({ ...id, metadata: undefined }), { name: 'TaskNotFoundError' });
    await assert.rejects(client.sendMessage(question(' ')), /no query/);
  });

  it('finds no way to talk to the agent where A2A is switched off', async t => {
    await assert.rejects(connect(t, { PUBLISH_OFF: 'a2a' }), /No compatible transport/);
  });
});
