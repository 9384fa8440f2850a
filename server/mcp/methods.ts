import { deepFreeze } from '../../brand/profile/deep-freeze.ts';
import type { Presentation } from '../../tools/presentation.ts';
import { RPC } from '../../tools/protocol.ts';
import { isRecord } from '../../tools/record.ts';
import { SERVICE } from '../../tools/service.ts';
import type { Tool } from '../../tools/tool.ts';
import { invalidParams, type Request, RpcError } from './json-rpc.ts';
import { identity, instructions } from './server-info.ts';
import { checkEnvelope, isStateless, statelessMethods } from './stateless.ts';
import { type CallScope, type Method, toolMethods } from './tool-methods.ts';

/** Answers the requests of the protocol, whatever carries them. */
export interface Methods {
  /**
   * @returns the `result` of the request
   * @throws RpcError for a protocol error, ServiceError `rate_limited` for a refused action
   */
  readonly answer: (request: Request, scope: CallScope) => Promise<object>;
}

/**
 * The methods of MCP that a server of tools needs, in two revisions beside each other: each request says by its `_meta`
 * which it is written in. Ours and not the SDK's server: a transport and a server per request cost many times
 * as much, and validation must answer in the shape of the REST errors.
 */
export function createMethods(tools: readonly Tool[], presentation: Presentation): Methods {
  const shared = toolMethods(tools, presentation);
  const stateless = statelessMethods(shared, presentation);
  const handshake = handshakeMethods(shared, presentation);
  return {
    async answer(request, scope) {
      if (!isStateless(request.params)) return dispatch(handshake, request, scope, 200);
      checkEnvelope(request);
      return dispatch(stateless, request, scope, 404);
    },
  };
}

type Table = Readonly<Record<string, Method>>;

/** MCP 2025-06-18: `initialize` answers the one version of the contract, and nothing remembers that it was called. */
function handshakeMethods({ list, call }: ReturnType<typeof toolMethods>, presentation: Presentation): Table {
  const initialized = deepFreeze({
    protocolVersion: SERVICE.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: identity(presentation),
    instructions: instructions(presentation),
  });
  return { initialize: () => initialized, ping: () => ({}), 'tools/list': list, 'tools/call': call };
}

function dispatch(table: Table, { method, params = {} }: Request, scope: CallScope, unknownStatus: number) {
  const row = Object.hasOwn(table, method) ? table[method] : undefined;
  if (!row) {
    const names = Object.keys(table).join(', ');
    throw new RpcError(RPC.methodNotFound, `Method not found. The methods are ${names}.`, { status: unknownStatus });
  }
  if (!isRecord(params)) throw invalidParams('params must be an object');
  return row(params, scope);
}
