import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { H3 } from 'h3';
import * as z from 'zod';
import { sections } from '../../discovery/documents/sections.ts';
import type { Site } from '../../discovery/documents/site.ts';
import { toolPaths } from '../../discovery/openapi/tool-operations.ts';
import { render } from '../../rest/reply.ts';
import { ServiceError } from '../../tools/errors.ts';
import { POLICIES } from '../../tools/policies.ts';
import { defineTool } from '../../tools/tool.ts';
import { toolContext } from './tool-context.ts';

/** A tool that only answers, as the recipe of CONTRIBUTING.md adds it. Its name gives it the routes of /ask. */
const toolWith = (input: z.ZodObject) =>
  defineTool({
    name: 'ask_brand',
    title: 'Opening hours',
    description: 'When the office is open.',
    when: 'to say when the office is open',
    schemas: ['HoursRequest', 'HoursResponse'],
    input,
    output: z.object({ text: z.string() }),
    errors: ['not_configured'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    handler: async (_, { now }) => ({
      reference: now().toISOString(),
      mode: 'production',
      confirmation: 'none',
    }),
    body: ({ reference }) => ({ text: reference }),
  });

const HOURS = toolWith(z.strictObject({ query: z.string() }));
const WITHOUT_ARGUMENTS = toolWith(z.strictObject({}));

/** What the documents below read of a site. */
const siteWith = (tool: object) =>
  ({
    baseUrl: 'https://acme.example',
    tools: [tool],
    policies: POLICIES,
    examples: [],
    off: new Set(),
    isExpired: () => false,
  }) as unknown as Site;

describe('a tool without a page', () => {
  it('answers a browser with JSON, its errors too', async () => {
    const noPage = () => assert.fail('there is no page to draw');
    const attempt = { tool: HOURS, values: {}, otherFields: {} };
    const result = await HOURS.call({ query: 'x' }, toolContext(), async () => {});
    const app = new H3()
      .get('/result', event => render(event, { kind: 'result', tool: HOURS, result }, noPage))
      .get('/refusal', event => {
        const error = new ServiceError('not_configured');
        return render(event, { kind: 'refusal', error, attempt }, noPage);
      });
    const get = (path: string) => app.request(path, { headers: { accept: 'text/html' } });
    const answer = await get('/result');
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { text: '2026-11-21T00:00:00.000Z' });
    const refusal = await get('/refusal');
    assert.equal(refusal.status, 503);
    assert.equal(JSON.parse(await refusal.text()).code, 'not_configured');
  });

  it('has none in OpenAPI', () => {
    assert.doesNotMatch(JSON.stringify(toolPaths(siteWith(HOURS))), /text\/html/);
  });
});

describe('a tool without arguments', () => {
  it('has no table of fields in the documents, and an example without arguments', () => {
    const text = sections(siteWith(WITHOUT_ARGUMENTS), 'mcp').join('\n');
    assert.doesNotMatch(text, /\| Field \|/);
    assert.match(text, /"arguments": \{\}/);
  });
});
