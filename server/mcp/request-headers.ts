import type { IncomingHttpHeaders } from 'node:http';
import { RPC } from '../../tools/protocol.ts';
import { isRecord } from '../../tools/record.ts';
import { SERVICE } from '../../tools/service.ts';
import { invalid, type Message, type Request, RpcError } from './json-rpc.ts';
import { checkEnvelope, claimedVersion, isStateless } from './stateless.ts';

/**
 * Holds the headers of POST /mcp against its message: whatever routes on a header must be able to trust that it names
 * what is executed.
 * @throws RpcError with HTTP 400: -32600 for a version that no `initialize` of ours agreed on; for requests of
 * MCP 2026-07-28 -32020, and -32602 where the header says that it is one and the body does not
 */
export function checkHeaders(message: Message, headers: IncomingHttpHeaders): void {
  const version = headers['mcp-protocol-version'];
  if (message.kind === 'request' && isStateless(message.params)) checkMirrors(message, headers);
  else if (version === SERVICE.statelessProtocolVersion) checkUnclaimed(message);
  else if (version !== undefined && version !== SERVICE.protocolVersion) throw unsupported();
}

/** Notifications may stay without an envelope; requests may not, except those that only handshake clients send. */
function checkUnclaimed(message: Message): void {
  if (message.kind !== 'request') return;
  if (message.method === 'initialize' || message.method === 'ping') throw unsupported();
  checkEnvelope(message);
}

const unsupported = () =>
  invalid(`MCP-Protocol-Version must be ${SERVICE.protocolVersion}, or that of _meta in the request`);

/** MCP 2026-07-28, Streamable HTTP, Server Validation. */
function checkMirrors({ method, params }: Request, headers: IncomingHttpHeaders): void {
  const claimed = claimedVersion(params);
  mirror('MCP-Protocol-Version', headers['mcp-protocol-version'], claimed);
  if (claimed !== SERVICE.statelessProtocolVersion) return;
  mirror('Mcp-Method', headers['mcp-method'], method);
  const name = method === 'tools/call' && isRecord(params) ? params.name : undefined;
  if (typeof name === 'string') mirror('Mcp-Name', decoded(headers['mcp-name']), name);
}

function mirror(header: string, sent: string | string[] | undefined, body: unknown): void {
  if (sent === body) return;
  const fault = sent === undefined ? 'is missing' : 'differs from the body';
  throw new RpcError(RPC.headerMismatch, `Header mismatch: ${header} ${fault}.`, { status: 400 });
}

/** A name that is no plain ASCII travels as `=?base64?…?=` (Value Encoding). */
function decoded(value: string | string[] | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(String(value ?? ''))?.[1];
  return encoded === undefined ? value?.toString() : Buffer.from(encoded, 'base64').toString('utf8');
}
