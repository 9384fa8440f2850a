import { deepFreeze } from '../../brand/profile/deep-freeze.ts';
import { asServiceError, errorBody } from '../../tools/errors.ts';
import { outline } from '../../tools/json-schema.ts';
import type { Admission, BucketName } from '../../tools/policies.ts';
import type { Presentation } from '../../tools/presentation.ts';
import { isRecord } from '../../tools/record.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';
import { invalidParams } from './json-rpc.ts';
import { failed, succeeded, type ToolResult } from './tool-result.ts';

/** What a tools/call may use. */
export interface CallScope {
  /** Asked for when a tool is called, not before: the profile may still be loading. */
  readonly context: () => Promise<ToolContext>;
  readonly admission: Admission;
  /** Tells the log of a tool's failure, which the client gets as a result. */
  readonly report: (fault: unknown) => void;
}

export type Params = Readonly<Record<string, unknown>>;

/** Answers one method. @throws RpcError for a protocol error, ServiceError `rate_limited` for a refused action */
export type Method = (params: Params, scope: CallScope) => object | Promise<object>;

/** `tools/list` and `tools/call`, which mean the same in every revision of the protocol. */
export function toolMethods(
  tools: readonly Tool[],
  presentation: Presentation,
): Readonly<Record<'list' | 'call', Method>> {
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  const listed = deepFreeze({ tools: tools.map(tool => listedTool(tool, presentation)) });
  return {
    list({ cursor }) {
      if (cursor !== undefined) throw invalidParams('unknown cursor');
      return listed;
    },
    call({ name, arguments: input }, scope) {
      if (typeof name !== 'string') throw invalidParams('name must be a tool name');
      const tool = byName.get(name);
      if (!tool) throw invalidParams(`unknown tool, the tools are ${[...byName.keys()].join(', ')}`);
      if (input != null && !isRecord(input)) throw invalidParams('arguments must be an object');
      return callTool(tool, input ?? {}, scope);
    },
  };
}

const ACTION_BUCKETS: readonly BucketName[] = ['actions', 'actions-service'];

function listedTool(tool: Tool, presentation: Presentation) {
  const { outputSchema, ...described } = tool.describe(presentation);
  return { ...described, outputSchema: outline(outputSchema) };
}

/** A tool's failure is a result that the model can read; only a refused rate is left to the carrier. */
async function callTool(tool: Tool, input: unknown, { context, admission, report }: CallScope): Promise<ToolResult> {
  if (!tool.annotations.readOnlyHint) await admission.look(...ACTION_BUCKETS);
  try {
    return succeeded(await tool.call(input, await context(), async () => admission.take(...ACTION_BUCKETS)));
  } catch (fault) {
    const error = asServiceError(fault, tool.annotations.readOnlyHint ? 'not_configured' : 'delivery_failed');
    if (error.code === 'rate_limited') throw error;
    report(fault);
    return failed(errorBody(error));
  }
}
