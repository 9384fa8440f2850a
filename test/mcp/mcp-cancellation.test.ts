import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { createAdmissions } from '../../server/limits/admission.ts';
import { createMinuteLimiter } from '../../server/limits/minute-limiter.ts';
import { createServerFor } from '../../server/mcp/server.ts';
import { serveStdio } from '../../server/mcp/stdio.ts';
import { TOOLS } from '../../tools/index.ts';
import { introduce } from '../../tools/introduction.ts';
import { POLICIES } from '../../tools/policies.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { toolContext } from '../tools/tool-context.ts';
import { callTool, request } from './mcp-messages.ts';

const SERVER_FOR = createServerFor(TOOLS, introduce(undefined, 'production'));

/** A promise that the test settles. */
function gate<Value = void>() {
  let open: (value: Value) => void = () => {};
  const opened = new Promise<Value>(resolve => {
    open = resolve;
  });
  return { open, opened };
}

/** What tools use, with a note of every submission that began. */
function noting() {
  const began: string[] = [];
  const { deliver, ...others } = toolContext();
  const context: ToolContext = {
    ...others,
    deliver(submission) {
      began.push(submission.kind);
      return deliver(submission);
    },
  };
  return { began, context };
}

/** A conversation over stdio in this process. */
function stdio(context: () => Promise<ToolContext>) {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveStdio({
    input,
    output,
    serverFor: Promise.resolve(SERVER_FOR),
    context,
    report: () => {},
    admissionFor: createAdmissions({
      limiter: createMinuteLimiter({ policies: POLICIES, monotonicMs: () => 0 }),
      readHourly: async () => [],
      limitsUrl: 'http://127.0.0.1/llms.txt',
    }),
  });
  const say = (message: object) => input.write(`${JSON.stringify(message)}\n`);
  const answers = async () => {
    input.end();
    await served;
    output.end();
    const lines = (await text(output)).trim().split('\n');
    return lines.map(line => JSON.parse(line));
  };
  return { say, answers };
}

const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'the person left' },
});

const CALL = { ...callTool('request_diagnostic', DIAGNOSTIC), id: 'mine' };

describe('a request that is cancelled over stdio', () => {
  it('does not begin where it has not begun: nothing is submitted, nothing is answered', async () => {
    const profile = gate();
    const { began, context } = noting();
    const { say, answers } = stdio(async () => {
      await profile.opened;
      return context;
    });
    say(CALL);
    say(cancel('mine'));
    say({ ...request('ping'), id: 'after' });
    profile.open();
    assert.deepEqual(await answers(), [{ jsonrpc: '2.0', id: 'after', result: {} }]);
    assert.deepEqual(began, []);
  });
});
