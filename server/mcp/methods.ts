import type { DiscoverResult, InitializeResult } from '@modelcontextprotocol/server';
import { keptFromSecond } from '../../rest/response.ts';
import { asServiceError, errorBody } from '../../tools/errors.ts';
import { idempotencyKey, META_KEY } from '../../tools/idempotency-key.ts';
import { CAPABILITIES, type Introduction } from '../../tools/introduction.ts';
import type { Admission } from '../../tools/policies.ts';
import { META, type METHODS, REVISIONS, RPC, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { isRecord } from '../../tools/record.ts';
import type { Tool, ToolContext, ToolResult } from '../../tools/tool.ts';
import { type CallResult, invalidParams, type Message, type Params, RpcError } from './messages.ts';
import { checkEnvelope, isStateless } from './stateless.ts';

/** What a tools/call may use. */
export interface CallScope {
  /** Asked for when a tool is called, not before: the profile may still be loading. @param key of an action */
  readonly context: (key: string | undefined) => ToolContext | Promise<ToolContext>;
  readonly admission: Admission;
  /** Tells the log of a fault that the client gets as a result. */
  readonly report: (fault: unknown) => void;
  /** Values of the header Idempotency-Key, where the carrier has headers; `_meta` may hold the key instead. */
  readonly keys?: (() => readonly string[]) | undefined;
  /** Whether the client has taken the request back: what has not begun must not begin. */
  readonly isCancelled: () => boolean;
}

/** Answers the requests of the protocol, whatever carries them. */
export type Methods = ReturnType<typeof createMethods>;

type Method = (params: Params, scope: CallScope) => object | Promise<object>;
type Table<Revision extends keyof typeof METHODS> = Readonly<
  Record<(typeof METHODS)[Revision][number], Method>
>;

/**
 * The methods of MCP that a server of tools needs, in two revisions beside each other: each request says by its `_meta`
 * which it is written in. test/mcp/mcp-reference.test.ts compares this table with the SDK's own server.
 */
export function createMethods(tools: readonly Tool[], introduction: Introduction) {
  const shared = toolMethods(tools);
  const handshake = handshakeMethods(shared, introduction);
  const stateless = statelessMethods(shared, introduction);
  return {
    /** A tools/call by itself. @throws as `answer` */
    call: shared.call,
    /**
     * @returns the `result` of the request
     * @throws RpcError for a protocol error, ServiceError `rate_limited` for a refused action
     */
    async answer(request: Message, scope: CallScope): Promise<object> {
      if (!isStateless(request.params)) return methodIn(handshake, request, 200)(request.params, scope);
      checkEnvelope(request);
      return methodIn(stateless, request, 404)(request.params, scope);
    },
  };
}

/** @param status with which HTTP carries the refusal */
function methodIn(table: Readonly<Record<string, Method>>, { method }: Message, status: number): Method {
  const row = Object.hasOwn(table, method) ? table[method] : undefined;
  if (row) return row;
  const names = Object.keys(table).join(', ');
  throw new RpcError(RPC.methodNotFound, `Method not found. The methods are ${names}.`, { status });
}

/** MCP 2025-06-18: `initialize` answers the one version of the contract, and nothing remembers that it was called. */
function handshakeMethods(
  { list, call }: ReturnType<typeof toolMethods>,
  { serverInfo, instructions }: Introduction,
): Table<'2025-06-18'> {
  const initialized: InitializeResult = {
    protocolVersion: REVISIONS.handshake,
    capabilities: CAPABILITIES,
    serverInfo,
    instructions,
  };
  return {
    initialize: () => initialized,
    ping: () => ({}),
    'tools/list': list,
    'tools/call': call,
    // The contract names it among the methods; with an id it is a request, which must be answered.
    'notifications/initialized': () => ({}),
  };
}

/** How long a client may keep what changes with a new profile or release alone. */
const CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** MCP 2026-07-28: without `initialize`, each result says what it is and who answered. */
function statelessMethods(
  { list, call }: ReturnType<typeof toolMethods>,
  { serverInfo, instructions, website: websiteUrl, icon }: Introduction,
): Table<'2026-07-28'> {
  const shown = { ...serverInfo, ...(icon && { icons: [{ src: icon }] }), ...(websiteUrl && { websiteUrl }) };
  const { name, title, version } = serverInfo;
  // No description: each word of an answer can be proven from the profile.
  const whole = { resultType: 'complete', _meta: { [META.serverInfo]: { name, title, version } } } as const;
  const discovered: DiscoverResult = {
    ...CACHE,
    resultType: 'complete',
    _meta: { [META.serverInfo]: shown },
    supportedVersions: [...SUPPORTED_REVISIONS],
    capabilities: CAPABILITIES,
    instructions,
  };
  return {
    'server/discover': () => discovered,
    'tools/list': params => ({ ...whole, ...CACHE, ...list(params) }),
    'tools/call': async (params, scope) => ({ ...whole, ...(await call(params, scope)) }),
  };
}

/** `tools/list` and `tools/call`, which mean the same in every revision of the protocol. */
function toolMethods(tools: readonly Tool[]) {
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  // Made when first asked for: schemas are a tenth of what a start would do.
  let listed: object | undefined;
  return {
    list({ cursor }: Params) {
      if (cursor != null) throw invalidParams('unknown cursor');
      listed ??= { tools: tools.map(tool => tool.listed()) };
      return listed;
    },
    async call(params: Params, scope: CallScope): Promise<CallResult> {
      const { name, arguments: input } = params;
      const tool = byName.get(String(name));
      if (typeof name !== 'string') throw invalidParams('name must be a tool name');
      if (!tool) throw invalidParams(`unknown tool, the tools are ${[...byName.keys()].join(', ')}`);
      if (input != null && !isRecord(input)) throw invalidParams('arguments must be an object');
      const acts = !tool.annotations.readOnlyHint;
      if (acts) scope.admission.show('actions');
      try {
        const context = await scope.context(acts ? keyOf(params, scope) : undefined);
        return await callTool(tool, input ?? {}, context, scope);
      } catch (fault) {
        return failed(fault, tool, scope);
      }
    },
  };
}

async function callTool(
  tool: Tool,
  input: Params,
  context: ToolContext,
  scope: CallScope,
): Promise<CallResult> {
  const { admission, isCancelled } = scope;
  if (isCancelled()) throw CANCELLED;
  const result = await tool.call(input, context, admission.settle);
  return resultOf(result, tool, context);
}

/** The same twice: structured for those who read the schema, as text for the others. */
const resultOf = keptFromSecond(
  (result: ToolResult, tool: Tool, context: ToolContext): CallResult => ({
    content: [{ type: 'text', text: tool.json(result, context) }],
    structuredContent: { ...tool.body(result) },
  }),
  ({ content: [{ text }] }) => text.length,
);

/** @throws ServiceError `validation_error` */
function keyOf({ _meta: meta }: Params, { keys }: CallScope): string | undefined {
  const own = isRecord(meta) ? meta[META_KEY] : undefined;
  return idempotencyKey(own === undefined ? (keys?.() ?? []) : [own]);
}

/** The client has cancelled, so HTTP drops this error. stdio cannot tell, and sends it. */
const CANCELLED = new RpcError(RPC.internalError, 'The request was cancelled before it began.');

/**
 * A tool's failure is a result that the model can read.
 * @throws RpcError, and ServiceError `rate_limited`, which are left to the carrier
 */
function failed(fault: unknown, { annotations }: Tool, { report }: CallScope): CallResult {
  if (fault instanceof RpcError) throw fault;
  const error = asServiceError(fault, annotations.readOnlyHint ? 'not_configured' : 'delivery_failed');
  if (error.code === 'rate_limited') throw error;
  report(fault);
  // As text alone: clients that hold `structuredContent` against the output schema would hide the error.
  return { content: [{ type: 'text', text: JSON.stringify(errorBody(error)) }], isError: true };
}
