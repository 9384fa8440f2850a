import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { createAdmissions } from '../../server/limits/admission.ts';
import { createMinuteLimiter } from '../../server/limits/minute-limiter.ts';
import { createServerFor } from '../../server/mcp/server.ts';
import { serveStdio } from '../../server/mcp/stdio.ts';
import { TOOLS } from '../../tools/index.ts';
import { introduce } from '../../tools/introduction.ts';
import { POLICIES } from '../../tools/policies.ts';
import { DIAGNOSTIC } from '../support/submission-support.ts';
import { toolContext } from '../tools/tool-context.ts';
import { callTool, request } from './mcp-messages.ts';

const CALL = { ...callTool('request_diagnostic', DIAGNOSTIC), id: 'mine' };
const CANCEL = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } };

it('A request that is cancelled over stdio before it began is not begun and not answered', async () => {
  const { deliver, ...others } = toolContext();
  const began: string[] = [];
  const input = new PassThrough();
  const output = new PassThrough();
  let useProfile = () => {};
  const profile = new Promise<void>(resolve => {
    useProfile = resolve;
  });
  const served = serveStdio({
    input,
    output,
    serverFor: Promise.resolve(createServerFor(TOOLS, introduce(undefined, 'production'))),
    async context() {
      await profile;
      return {
        ...others,
        deliver(submission) {
          began.push(submission.kind);
          return deliver(submission);
        },
      };
    },
    report: () => {},
    admissionFor: createAdmissions({
      limiter: createMinuteLimiter({ policies: POLICIES, monotonicMs: () => 0 }),
      readHourly: async () => [],
      limitsUrl: 'http://127.0.0.1/llms.txt',
    }),
  });
  for (const message of [CALL, CANCEL, { ...request('ping'), id: 'after' }])
    input.write(`${JSON.stringify(message)}\n`);
  useProfile();
  input.end();
  await served;
  output.end();
  assert.deepEqual(JSON.parse(await text(output)), { jsonrpc: '2.0', id: 'after', result: {} });
  assert.deepEqual(began, []);
});
