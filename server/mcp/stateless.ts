import type { IncomingHttpHeaders } from 'node:http';
import type { UnsupportedProtocolVersionErrorData } from '@modelcontextprotocol/server';
import { META, REVISIONS, RPC, SUPPORTED_REVISIONS } from '../../tools/protocol.ts';
import { isRecord } from '../../tools/record.ts';
import { invalid, invalidParams, type Message, type Params, RpcError } from './messages.ts';

/**
 * The revision that a request says it is written in; absent where an `initialize` agreed on one. In MCP 2026-07-28 each request
 * says it in its `_meta`.
 */
function claimedVersion({ _meta: meta }: Params): unknown {
  return isRecord(meta) ? meta[META.version] : undefined;
}

/** Whether a request is on its own (Versioning) and not part of what an `initialize` began. */
export function isStateless(params: Params): boolean {
  const claimed = claimedVersion(params);
  return claimed !== undefined && claimed !== REVISIONS.handshake;
}

/** @throws RpcError -32022 for a version that is not served, -32602 or -32600 for an envelope that is incomplete */
export function checkEnvelope({ id, params }: Message): void {
  const claimed = claimedVersion(params);
  if (claimed === undefined) throw invalidParams(`_meta must have ${META.version}`, 400);
  if (typeof claimed !== 'string') throw invalidParams(`${META.version} in _meta must be a string`, 400);
  if (claimed !== REVISIONS.stateless) throw unsupported(claimed);
  const meta = isRecord(params._meta) ? params._meta : {};
  if (!isRecord(meta[META.capabilities]))
    throw invalidParams(`_meta must have ${META.capabilities}, an object`, 400);
  if (id === null) throw invalid('id must be a string or an integer');
}

function unsupported(requested: string): RpcError {
  const supported = [...SUPPORTED_REVISIONS];
  const data: UnsupportedProtocolVersionErrorData = { supported, requested };
  const message = `Unsupported protocol version. Supported: ${supported.join(', ')}.`;
  return new RpcError(RPC.unsupportedVersion, message, { status: 400, data });
}

/**
 * Holds the headers of a request against its body: whatever routes on a header must be able to trust that it names what is
 * executed (Streamable HTTP, Server Validation).
 * @throws RpcError -32020 with HTTP 400
 */
export function checkMirrors({ method, params }: Message, headers: IncomingHttpHeaders): void {
  const claimed = claimedVersion(params);
  mirror('MCP-Protocol-Version', headers['mcp-protocol-version'], claimed);
  if (claimed !== REVISIONS.stateless) return;
  mirror('Mcp-Method', headers['mcp-method'], method);
  const { name } = params;
  if (method === 'tools/call' && typeof name === 'string')
    mirror('Mcp-Name', decoded(headers['mcp-name']?.toString()), name);
}

function mirror(header: string, sent: string | string[] | undefined, body: unknown): void {
  if (sent === body) return;
  const fault = sent === undefined ? 'is missing' : 'differs from the body';
  throw new RpcError(RPC.headerMismatch, `Header mismatch: ${header} ${fault}.`, { status: 400 });
}

/** A name that is no plain ASCII travels as `=?base64?…?=` (Value Encoding); what is not base64 stands for itself. */
function decoded(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?((?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=)?)\?=$/i.exec(
    value ?? '',
  )?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}
