import * as z from 'zod';
import { asServiceError, errorBody, ServiceError } from '../../tools/errors.ts';
import { idempotencyKey, META_KEY } from '../../tools/idempotency-key.ts';
import type { ObjectSchema } from '../../tools/object-schema.ts';
import { isRecord } from '../../tools/object-schema.ts';
import type { Admission } from '../../tools/policies.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';
import type { Message } from './messages.ts';

/** The result of a tool in MCP. The text of a success is the JSON of its `structuredContent`. */
export interface CallResult {
  readonly [member: string]: unknown;
  readonly content: [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/** A tool with the arguments of `registerTool` of the MCP SDK. */
export interface CallableTool {
  readonly name: string;
  readonly config: {
    readonly title: string;
    readonly description: string;
    readonly inputSchema: z.ZodObject;
    readonly outputSchema: z.ZodObject;
    readonly annotations: Tool['annotations'];
  };
  /**
   * Never rejects: a failure is a result that the model can read.
   * @param context the second argument that the SDK passes to a tool
   */
  readonly call: (input: Readonly<Record<string, unknown>>, context: unknown) => Promise<CallResult>;
}

/**
 * An MCP server of the SDK: `McpServer` of @modelcontextprotocol/server (v2) or of @modelcontextprotocol/sdk
 * (v1).
 */
export interface ToolHost {
  registerTool(name: string, config: CallableTool['config'], run: CallableTool['call']): unknown;
}

/**
 * Registers tools on an MCP server, with the texts, errors and limits of `POST /mcp`.
 * @example
 * const server = new McpServer({ name: 'acme', version: '1.0.0' });
 * registerTools(server, aval.tools());
 */
export function registerTools(host: ToolHost, tools: readonly CallableTool[]): void {
  for (const { name, config, call } of tools) host.registerTool(name, config, call);
}

/** What a call may use besides its arguments. */
export interface CallScope {
  /**
   * Makes the context of a call. It may wait for the profile.
   * @param key Idempotency-Key of an action
   * @throws ServiceError `rate_limited`
   */
  readonly context: (key: string | undefined) => ToolContext | Promise<ToolContext>;
  readonly admission: Admission;
  /** Logs a fault; the client gets a result. */
  readonly report: (fault: unknown) => void;
  /** Values of the header Idempotency-Key, if the transport has headers. `_meta` may have the key too. */
  readonly keys?: readonly string[] | undefined;
  /** Receives the refusal of an action over its limits. HTTP answers it with 429; stdio throws it. */
  readonly onRefused?: (error: ServiceError) => void;
}

/** The texts and schemas of a tool, for `registerTool`. */
export function toolConfig(tool: Tool): CallableTool['config'] {
  const { title, description, annotations, inputSchema, outputSchema } = tool.listing();
  return {
    title,
    description,
    inputSchema: openSchema(inputSchema),
    outputSchema: openSchema(outputSchema),
    annotations,
  };
}

/**
 * A schema that accepts everything but is published as the tool's: the SDK's own check would answer in its
 * own words instead of the contract's errors (docs/decisions/0018).
 */
function openSchema({ type: _, ...keywords }: ObjectSchema): z.ZodObject {
  return z.looseObject({}).meta({ additionalProperties: undefined, ...keywords });
}

/** Whether a message calls a tool that submits something. */
export const callsAction = ({ id, method, params }: Message, tools: readonly Tool[]): boolean =>
  id !== undefined &&
  method === 'tools/call' &&
  tools.some(({ name, submits }) => name === params.name && submits !== undefined);

/**
 * Calls a tool. A failure is a result.
 * @param context from the SDK
 * @throws what `onRefused` throws
 * @example const { isError, content } = await callTool(tool, { query: 'price' }, context, scope);
 */
export async function callTool(
  tool: Tool,
  input: unknown,
  context: unknown,
  scope: CallScope,
): Promise<CallResult> {
  const { meta, signal } = requestOf(context);
  const { admission, keys = [] } = scope;
  const isAction = tool.submits !== undefined;
  try {
    const toolContext = await scope.context(isAction ? idempotencyKeyOf(meta, keys) : undefined);
    // The SDK sends no answer to a cancelled request.
    if (signal?.aborted) throw new ServiceError('not_configured', { message: 'The request was cancelled.' });
    const result = await tool.call(input, toolContext, admission.recordSubmission);
    const body = { ...tool.body(result) };
    return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body };
  } catch (fault) {
    const error = asServiceError(fault, isAction ? 'delivery_failed' : 'not_configured');
    if (error.code === 'rate_limited') scope.onRefused?.(error);
    else scope.report(fault);
    return failure(error);
  }
}

/** The result of a failure, as text only: v1 clients check `structuredContent` and would hide the error. */
function failure(error: ServiceError): CallResult {
  return { content: [{ type: 'text', text: JSON.stringify(errorBody(error)) }], isError: true };
}

/**
 * Reads `_meta` and the signal that cancels the request from the SDK's context. v2 has them in `mcpReq`.
 */
function requestOf(context: unknown): { readonly meta?: unknown; readonly signal?: AbortSignal | undefined } {
  if (!isRecord(context)) return {};
  const { _meta: meta, signal } = isRecord(context.mcpReq) ? context.mcpReq : context;
  return { meta, signal: signal instanceof AbortSignal ? signal : undefined };
}

/** The Idempotency-Key of a call. @throws ServiceError `validation_error` */
function idempotencyKeyOf(meta: unknown, headers: readonly string[]): string | undefined {
  const metaKey = isRecord(meta) ? meta[META_KEY] : undefined;
  return idempotencyKey(metaKey === undefined ? headers : [metaKey]);
}
