import { memo } from '../../rest/memo.ts';
import { jsonText } from '../../rest/reply.ts';
import type { Admission } from '../../tools/admission.ts';
import { asServiceError, errorBody } from '../../tools/errors.ts';
import type { BucketName, Policies } from '../../tools/policies.ts';
import { SERVICE } from '../../tools/service.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';
import { isRecord, RPC, RpcError } from './json-rpc.ts';

/** What a tools/call may use. */
export interface CallScope {
  /** Asked for when a tool is called, not before: the profile may still be loading. */
  readonly context: () => Promise<ToolContext>;
  readonly admission: Admission;
}

/** Answers the requests of the protocol, whatever carries them. */
export interface Methods {
  /**
   * @returns the `result` of the request
   * @throws RpcError for a protocol error, ServiceError `rate_limited` for a refused action
   */
  readonly answer: (method: string, params: unknown, scope: CallScope) => Promise<object>;
}

/**
 * The methods of MCP 2025-06-18 that a server of tools needs. Ours and not the SDK's server: a transport and a server
 * per request cost ten to thirty times as much, and validation must answer in the shape of the REST errors.
 */
export function createMethods(tools: readonly Tool[], policies: Policies): Methods {
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  const initialized = deepFreeze({
    protocolVersion: SERVICE.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: SERVICE.name, title: SERVICE.title, version: SERVICE.version },
    instructions: INSTRUCTIONS,
  });
  const listed = deepFreeze({ tools: tools.map(tool => listedTool(tool, policies)) });

  const table: Readonly<Record<string, (params: unknown, scope: CallScope) => object | Promise<object>>> = {
    initialize: () => initialized,
    ping: () => ({}),
    'tools/list': params => {
      if (isRecord(params) && params.cursor !== undefined) throw invalidParams('unknown cursor');
      return listed;
    },
    'tools/call': (params, scope) => {
      if (!isRecord(params) || typeof params.name !== 'string') throw invalidParams('name must be a tool name');
      const tool = byName.get(params.name);
      if (!tool) throw invalidParams(`unknown tool, the tools are ${[...byName.keys()].join(', ')}`);
      return callTool(tool, params.arguments, scope);
    },
  };
  return {
    async answer(method, params, scope) {
      const row = Object.hasOwn(table, method) ? table[method] : undefined;
      if (!row)
        throw new RpcError(RPC.methodNotFound, `Method not found. The methods are ${Object.keys(table).join(', ')}.`);
      if (params !== undefined && !isRecord(params)) throw invalidParams('params must be an object');
      return row(params, scope);
    },
  };
}

const ACTION_BUCKETS: readonly BucketName[] = ['actions', 'actions-service'];

/** The first sentence counts: some hosts show no more of it. */
const INSTRUCTIONS =
  'Ask about this consultancy with ask_brand: it returns claims of a signed brand profile, verbatim, each with the ' +
  'boundary inside which it holds and the proofs behind it. Compose the answer yourself, stay inside the boundary, ' +
  'cite claim_id, and say so when no match is similar enough. Nothing here is generated text.';

function listedTool({ name, title, describe, inputSchema, outputSchema, annotations }: Tool, policies: Policies) {
  return { name, title, description: describe(policies), inputSchema, outputSchema, annotations };
}

/** A tool's failure is a result that the model can read; only a refused rate is left to the carrier. */
async function callTool(tool: Tool, input: unknown, { context, admission }: CallScope): Promise<object> {
  try {
    return succeeded(await tool.call(input, await context(), async () => admission.take(...ACTION_BUCKETS)));
  } catch (fault) {
    const error = asServiceError(fault, tool.annotations.readOnlyHint ? 'not_configured' : 'delivery_failed');
    if (error.code === 'rate_limited') throw error;
    return { content: [textBlock(errorBody(error))], isError: true };
  }
}

/** The same JSON twice: structured for those who read the schema, as text for the others. */
const succeeded = memo((output: object): object =>
  Object.freeze({ content: [textBlock(output)], structuredContent: output }),
);

const textBlock = (value: object) => ({ type: 'text', text: jsonText(value) });

const invalidParams = (rule: string) => new RpcError(RPC.invalidParams, `Invalid params: ${rule}.`);

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
