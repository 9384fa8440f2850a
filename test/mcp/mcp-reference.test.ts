import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createMcpHandler, InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { asServiceError, errorBody } from '../../tools/errors.ts';
import { toolsOf } from '../../tools/index.ts';
import { introduce } from '../../tools/introduction.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';
import { exampleBrand } from '../support/example.ts';
import { DIAGNOSTIC, MANY } from '../support/submission-support.ts';
import { bodyOf, post, startApp } from '../support/support.ts';
import { toolContext } from '../tools/tool-context.ts';
import { mirrors, modern } from './mcp-modern-messages.ts';

/*
 * The protocol is a table of ours. Here the SDK's own servers, with the same three tools as they are, get the same messages,
 * and our answers are held equal to theirs. Every intended difference is a row of DIFFERENCES, with its reason.
 */

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Answer = any;
type Message = readonly [method: string, params: Readonly<Record<string, unknown>>];
/** The number of a submission is drawn anew for each. */
const renumbered = (answer: Answer): Answer =>
  JSON.parse(JSON.stringify(answer).replaceAll(/[A-Z]{4}-\d{4}/g, 'ABCD-1234'));

type Ask = (message: Message) => Promise<Answer>;

const QUERY = '¿Cuánto cuesta el diagnóstico?';
const call = (name: unknown, args?: unknown): Message => ['tools/call', { name, arguments: args }];
const GREETING: Message = [
  'initialize',
  { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
];

const MESSAGES: Readonly<Record<string, Message>> = {
  'the list of tools': ['tools/list', {}],
  'a cursor that nobody issued': ['tools/list', { cursor: 'abc' }],
  'a question': call('ask_brand', { query: QUERY }),
  'a question that nothing answers': call('ask_brand', { query: '???' }),
  'a submission': call('request_diagnostic', DIAGNOSTIC),
  'no question': call('ask_brand', {}),
  'a question that is no text': call('ask_brand', { query: 7 }),
  'an argument too many': call('ask_brand', { query: QUERY, lang: 'es' }),
  'a submission without its fields': call('request_diagnostic', { name: 'Ana' }),
  'no arguments': call('request_diagnostic'),
  'arguments that are a list': call('ask_brand', [QUERY]),
  'arguments that are null': call('ask_brand', null),
  'an unknown tool': call('ask', { query: QUERY }),
  'a tool without a name': ['tools/call', { arguments: {} }],
  'a tool whose name is a number': call(7, {}),
  'a method in other letters': ['tools/List', {}],
  'a method of servers with prompts': ['prompts/list', {}],
  'a ping': ['ping', {}],
  'an acknowledgement with an id': ['notifications/initialized', {}],
  'a greeting': GREETING,
  discovery: ['server/discover', {}],
};

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

interface Difference {
  readonly reason: string;
  /** Names in MESSAGES; without them every message. */
  readonly messages?: readonly string[];
  /** The reference it is about; without one each. */
  readonly of?: string;
  /** The reference's answer as ours is meant to be. */
  readonly adapt: (theirs: Answer, ours: Answer) => Answer;
}

const DIFFERENCES: readonly Difference[] = [
  {
    reason: 'A message that most clients show alone: ours says what to do, the codes are the same.',
    adapt: (theirs, ours) =>
      theirs.error && ours.error
        ? { ...theirs, error: { ...theirs.error, message: ours.error.message } }
        : theirs,
  },
  {
    reason:
      'A failure has the body of the REST error (contract), which names code, hint and issues; theirs is prose.',
    messages: [
      ...['no question', 'a question that is no text', 'an argument too many'],
      ...['a submission without its fields', 'no arguments'],
    ],
    adapt: asRestError,
  },
  {
    reason:
      'Some hosts send null for no arguments; a model can mend what a result says, and no protocol error.',
    messages: ['arguments that are null'],
    adapt: (theirs, { result }) => {
      assert.equal(JSON.parse(result.content[0].text).code, 'missing_query');
      const { error: _, ...others } = theirs;
      return { ...others, result };
    },
  },
  {
    reason: 'Invalid cursors SHOULD be -32602 (Pagination); theirs starts again at the first page.',
    messages: ['a cursor that nobody issued'],
    adapt: ({ result: _, ...others }, { error }) => {
      assert.equal(error.code, -32602);
      return { ...others, error };
    },
  },
  {
    reason: 'No list ever changes while somebody is connected, and no stream could say so.',
    adapt: (theirs, ours) =>
      theirs.result?.capabilities
        ? { ...theirs, result: { ...theirs.result, capabilities: ours.result.capabilities } }
        : theirs,
  },
  {
    reason:
      'Some hosts reject $schema, pattern and format, and every model pays for what outputs say of their members; execution is of 2025-11-25.',
    messages: ['the list of tools'],
    adapt: (theirs, ours) => ({
      ...theirs,
      result: { ...theirs.result, tools: flat(theirs.result.tools, ours.result.tools) },
    }),
  },
  {
    reason: 'A list holds for an hour for everybody: it changes with the profile alone.',
    of: 'v2, 2026-07-28',
    messages: ['the list of tools', 'discovery'],
    adapt: theirs => ({ ...theirs, result: { ...theirs.result, ttlMs: 3_600_000, cacheScope: 'public' } }),
  },
  {
    reason:
      'Each word beside an answer is provable from the signed profile; a description cut short is told on discovery.',
    of: 'v2, 2026-07-28',
    adapt: theirs => {
      const { [SERVER_INFO]: info, ...meta } = theirs.result?._meta ?? {};
      if (!info) return theirs;
      const { description: _, ...named } = info;
      return { ...theirs, result: { ...theirs.result, _meta: { ...meta, [SERVER_INFO]: named } } };
    },
  },
  {
    reason: 'The icon and the site of the brand are told once, where a host asks who this is.',
    of: 'v2, 2026-07-28',
    messages: ['discovery'],
    adapt: (theirs, ours) => ({ ...theirs, result: { ...theirs.result, _meta: ours.result._meta } }),
  },
  {
    reason: 'Both revisions are served here, and clients of either may look.',
    of: 'v2, 2026-07-28',
    messages: ['discovery'],
    adapt: theirs => ({
      ...theirs,
      result: { ...theirs.result, supportedVersions: ['2026-07-28', '2025-06-18'] },
    }),
  },
  {
    reason: 'The contract names it among the methods; with an id it is a request, and gets an answer.',
    messages: ['an acknowledgement with an id'],
    adapt: (theirs, { result }) => {
      const { error: _, ...others } = theirs;
      return result ? { ...others, result: {} } : theirs;
    },
  },
];

/** @throws AssertionError unless both are failures of the tool, ours with a REST body */
function asRestError(theirs: Answer, ours: Answer): Answer {
  const { ok, code, hint } = JSON.parse(ours.result.content[0].text);
  assert.deepEqual([ok, theirs.result.isError], [false, true]);
  assert.match(code, /^(missing_query|validation_error)$/);
  assert.ok(hint);
  return { ...theirs, result: { ...theirs.result, content: ours.result.content } };
}

/** Their tools with our schemas, once ours are seen to say no more than theirs. */
function flat(theirs: Answer[], ours: Answer[]): Answer[] {
  return theirs.map((tool, index) => {
    const { inputSchema, outputSchema } = ours[index];
    const properties = Object.entries<Answer>(tool.inputSchema.properties).map(([name, schema]) => {
      const { pattern: _, format: __, ...kept } = schema;
      const { examples } = inputSchema.properties[name];
      return [name, { ...kept, ...(examples && { examples }) }];
    });
    const { $schema: _, ...rest } = tool.inputSchema;
    const { execution: __, ...listed } = tool;
    assert.deepEqual(inputSchema, { ...rest, properties: Object.fromEntries(properties) });
    assert.deepEqual(outputSchema.required, tool.outputSchema.required);
    for (const [name, { type }] of Object.entries<Answer>(outputSchema.properties)) {
      assert.equal(type, tool.outputSchema.properties[name].type);
    }
    return { ...listed, inputSchema, outputSchema };
  });
}

/** How a user of the SDK registers a tool of ours: its zod schemas, its words, its call. */
function registration(tool: Tool, context: ToolContext) {
  const { title, description, annotations } = tool;
  return {
    config: { title, description, inputSchema: tool.input, outputSchema: tool.output, annotations },
    async run(input: unknown) {
      const text = (body: object) => [{ type: 'text' as const, text: JSON.stringify(body) }];
      try {
        const output = tool.body(await tool.call(input, context, async () => async () => {}));
        return { content: text(output), structuredContent: { ...output } };
      } catch (fault) {
        return { content: text(errorBody(asServiceError(fault))), isError: true };
      }
    },
  };
}

/** The SDK's server with the tools of this one. @param server of either version: their types differ */
function withTools(server: Answer, tools: ReadonlyMap<string, ReturnType<typeof registration>>): Answer {
  for (const [name, { config, run }] of tools) server.registerTool(name, config, run);
  return server;
}

/** 2025-06-18 over a connection of the SDK, after its handshake. */
async function overConnection(
  t: TestContext,
  server: Answer,
  [client, transport]: readonly Answer[],
): Promise<Ask> {
  await server.connect(transport);
  t.after(() => server.close());
  const answers = new EventTarget();
  client.onmessage = (message: Answer) =>
    answers.dispatchEvent(new CustomEvent(String(message.id), { detail: message }));
  await client.start();
  let id = 0;
  const ask: Ask = async ([method, params]) => {
    id += 1;
    const answered = once(answers, String(id), { signal: AbortSignal.timeout(20_000) });
    await client.send({ jsonrpc: '2.0', id, method, params });
    const [{ detail }] = await answered;
    return JSON.parse(JSON.stringify(detail));
  };
  await ask(GREETING);
  await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return ask;
}

/** 2026-07-28, a request at a time, with its HTTP status. */
function overRequests(url: string, answerTo: (request: Request) => Promise<Response>): Ask {
  return async ([method, params]) => {
    const message = modern(method, params);
    const accept = 'application/json, text/event-stream';
    const headers = { 'content-type': 'application/json', accept, ...mirrors(message) };
    const response = await answerTo(
      new Request(url, { method: 'POST', headers, body: JSON.stringify(message) }),
    );
    return { status: response.status, ...(await bodyOf(response)) };
  };
}

/** Who is asked beside us, by the name in `of`. */
async function references(t: TestContext): Promise<Record<string, readonly [ours: Ask, theirs: Ask]>> {
  const { url } = await startApp(t, { env: MANY });
  const brand = await exampleBrand();
  const introduction = introduce(brand, 'dry-run');
  const { serverInfo, instructions } = introduction;
  const context = toolContext({ brand, mode: 'dry-run' });
  const tools = new Map(
    toolsOf(brand.profile, introduction).map(tool => [tool.name, registration(tool, context)]),
  );
  const options = { instructions };
  const v2 = () => withTools(new McpServer(serverInfo, options), tools);
  const endpoint = `${url}/mcp`;
  const handshake: Ask = async ([method, params]) =>
    bodyOf(await post(endpoint, { jsonrpc: '2.0', id: 1, method, params }));
  return {
    'v2, 2025-06-18': [handshake, await overConnection(t, v2(), InMemoryTransport.createLinkedPair())],
    'v2, 2026-07-28': [overRequests(endpoint, fetch), overRequests(endpoint, createMcpHandler(v2).fetch)],
  };
}

describe("the SDK's own server with the same tools", () => {
  it('answers as this one does, in both revisions, but for what is listed with its reason', async t => {
    const used = new Set<Difference>();
    for (const [reference, [ours, theirs]] of Object.entries(await references(t))) {
      for (const [name, message] of Object.entries(MESSAGES)) {
        const { id: _, ...answer } = renumbered(await ours(message));
        const { id: __, ...expected } = await theirs(message);
        const rows = DIFFERENCES.filter(
          ({ of, messages }) => (of ?? reference) === reference && (messages ?? [name]).includes(name),
        );
        const adapted = rows.reduce((before, row) => {
          const after = row.adapt(before, answer);
          if (!isDeepStrictEqual(after, before)) used.add(row);
          return after;
        }, expected);
        assert.deepEqual(answer, adapted, `${reference}: ${name}`);
      }
    }
    const idle = DIFFERENCES.filter(row => !used.has(row)).map(({ reason }) => reason);
    assert.deepEqual(idle, [], 'a difference that is none any more');
  });
});
