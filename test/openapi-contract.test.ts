// contract: 9
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { invalid, valid } from './openapi-requests.ts';
import { createChecker, describedBy, type Operation, operationsOf, type Schema } from './openapi-support.ts';
import { post, startApp } from './support.ts';

const UNLIMITED = { LIMIT_DEFAULT: '9999999/1', LIMIT_SUBMISSIONS: '9999999/1', LIMIT_ACTIONS: '9999999/1' };

/** The server, its description, and a way to send what was made from it. */
async function start(t: TestContext) {
  const { url } = await startApp(t, { env: UNLIMITED });
  const description = await describedBy(url);
  const check = createChecker(description);
  return {
    operations: operationsOf(description),
    schemaOf: ({ $ref }: { readonly $ref?: string }): Schema =>
      description.components.schemas[$ref?.split('/').at(-1) ?? ''] ?? {},
    /** The status of an answer that is as described. */
    async checked(path: string, method: string, response: Promise<Response>): Promise<number> {
      const answer = await response;
      await check(path, method, answer);
      return answer.status;
    },
    url,
  };
}

const RUNS = { numRuns: 20 };

/** Sends the fields as a browser does: text only. */
const asForm = (body: unknown) => new URLSearchParams(Object.entries(Object(body))).toString();

/** A text within its bounds can be too many bytes: the description says how many are read. */
function isTooLarge({ requestBody }: Operation, content: string): boolean {
  const [, bytes] = /At most (\d+) bytes/.exec(requestBody?.description ?? '') ?? [];
  return Buffer.byteLength(content) > Number(bytes);
}

describe('requests made from openapi.json', () => {
  it('are taken when they keep to it, in every media type, and answered as described', async t => {
    const { operations, schemaOf, checked, url } = await start(t);
    for (const { path, method, operation } of operations) {
      if (path === '/mcp') continue;
      for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
        if (type === 'multipart/form-data') continue;
        await fc.assert(
          fc.asyncProperty(valid(schemaOf(media.schema)), async body => {
            const content = type === 'application/json' ? JSON.stringify(body) : asForm(body);
            const status = await checked(path, method, post(url + path, content, { 'content-type': type }));
            assert.equal(status, isTooLarge(operation, content) ? 413 : 200, content);
          }),
          RUNS,
        );
      }
    }
  });

  it('are refused with a 400 as described when they break it in one place', async t => {
    const { operations, schemaOf, checked, url } = await start(t);
    for (const { path, method, operation } of operations) {
      const media = operation.requestBody?.content['application/json'];
      if (path === '/mcp' || !media) continue;
      await fc.assert(
        fc.asyncProperty(invalid(schemaOf(media.schema)), async body => {
          const content = JSON.stringify(body);
          const status = await checked(path, method, post(url + path, content));
          assert.equal(status, isTooLarge(operation, content) ? 413 : 400, content);
        }),
        RUNS,
      );
    }
  });

  it('in a query string are taken within its bounds and refused outside them', async t => {
    const { operations, checked, url } = await start(t);
    const operation = operations.find(({ operation: { parameters } }) =>
      parameters?.some(({ in: place }) => place === 'query'),
    );
    assert.ok(operation);
    const { path, method } = operation;
    const [parameter] = operation.operation.parameters ?? [];
    assert.ok(parameter);
    const ask = (value: string) =>
      checked(path, method, fetch(`${url}${path}?${new URLSearchParams({ [parameter.name]: value })}`));
    await fc.assert(
      fc.asyncProperty(valid({ ...parameter.schema, maxLength: 500 }), async value => {
        assert.equal(await ask(String(value)), 200);
      }),
      RUNS,
    );
    for (const value of ['', ' ', 'x'.repeat(2001)]) assert.equal(await ask(value), 400);
  });

  it('over MCP are answered as described, whatever they ask', async t => {
    const { operations, schemaOf, checked, url } = await start(t);
    const { operation } = operations.find(({ path, method }) => path === '/mcp' && method === 'POST') ?? {};
    const schema = schemaOf(operation?.requestBody?.content['application/json']?.schema ?? {});
    await fc.assert(
      fc.asyncProperty(fc.oneof(valid(schema), invalid(schema), fc.jsonValue()), async message => {
        await checked('/mcp', 'POST', post(`${url}/mcp`, JSON.stringify(message)));
      }),
      { numRuns: 100 },
    );
  });
});
