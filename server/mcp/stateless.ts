import { deepFreeze } from '../../brand/profile/deep-freeze.ts';
import { memoObject } from '../../rest/http/memo.ts';
import type { Presentation } from '../../tools/presentation.ts';
import { RPC } from '../../tools/protocol.ts';
import { isRecord } from '../../tools/record.ts';
import { SERVICE } from '../../tools/service.ts';
import { invalid, invalidParams, type Request, RpcError } from './json-rpc.ts';
import { identity, instructions } from './server-info.ts';
import type { CallScope, Method, Params } from './tool-methods.ts';

/** Reserved members of `_meta` (MCP 2026-07-28, Overview). */
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** The revision that a request says it is written in; absent where an `initialize` agreed on one. */
export function claimedVersion(params: unknown): unknown {
  const meta = isRecord(params) ? params._meta : undefined;
  return isRecord(meta) ? meta[VERSION] : undefined;
}

/** Whether a request is on its own (MCP 2026-07-28, Versioning) and not part of what an `initialize` began. */
export function isStateless(params: unknown): boolean {
  const claimed = claimedVersion(params);
  return claimed !== undefined && claimed !== SERVICE.protocolVersion;
}

/** @throws RpcError -32022 for a version that is not served, -32602 or -32600 for an envelope that is incomplete */
export function checkEnvelope({ id, params }: Request): void {
  const claimed = claimedVersion(params);
  const meta = isRecord(params) && isRecord(params._meta) ? params._meta : {};
  if (claimed === undefined) throw invalidParams(`_meta must have ${VERSION}`, 400);
  if (typeof claimed !== 'string') throw invalidParams(`${VERSION} in _meta must be a string`, 400);
  if (claimed !== SERVICE.statelessProtocolVersion) throw unsupported(claimed);
  if (!isRecord(meta[CAPABILITIES])) throw invalidParams(`_meta must have ${CAPABILITIES}, an object`, 400);
  if (id === null) throw invalid('id must be a string or an integer');
}

/** The methods of MCP 2026-07-28 that a server of tools needs; each result says what it is and who answered. */
export function statelessMethods(
  { list, call }: Readonly<Record<'list' | 'call', Method>>,
  presentation: Presentation,
) {
  const _meta = { [SERVER_INFO]: identity(presentation) };
  const complete = memoObject((result: object): object => ({ resultType: 'complete', ...result, _meta }));
  const discovered = deepFreeze({
    supportedVersions: [...SERVICE.supportedProtocolVersions],
    capabilities: { tools: {} },
    instructions: instructions(presentation),
  });
  return {
    'server/discover': () => complete(cacheable(discovered)),
    'tools/list': async (params: Params, scope: CallScope) => complete(cacheable(await list(params, scope))),
    'tools/call': async (params: Params, scope: CallScope) => complete(await call(params, scope)),
  };
}

/** How long a client may keep what changes with a new profile or release alone. */
const TTL_MS = 3_600_000;

const cacheable = memoObject((result: object): object => ({ ...result, ttlMs: TTL_MS, cacheScope: 'public' }));

function unsupported(requested: string): RpcError {
  const supported = SERVICE.supportedProtocolVersions;
  return new RpcError(RPC.unsupportedVersion, `Unsupported protocol version. Supported: ${supported.join(', ')}.`, {
    status: 400,
    data: { supported, requested },
  });
}
