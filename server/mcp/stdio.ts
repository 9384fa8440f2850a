import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import { MAX_BODY_BYTES } from '../../rest/body.ts';
import type { ServiceError } from '../../tools/errors.ts';
import type { AdmissionFor } from '../limits/admission.ts';
import {
  asRpcError,
  errorText,
  idOf,
  invalid,
  isStateless,
  parseMessage,
  type RequestId,
  readMessage,
  sdkRequest,
} from './messages.ts';
import type { ServerFor } from './server.ts';
import type { CallScope } from './tools.ts';

interface StdioParts extends Pick<CallScope, 'context' | 'report'> {
  readonly input: Readable;
  /** Receives one line for each message. */
  readonly output: Writable;
  /** Pending while the profile is read. */
  readonly serverFor: Promise<ServerFor>;
  readonly admissionFor: AdmissionFor;
}

/** All requests over stdio are one client's. */
const CLIENT = { clientHash: 'stdio' };

/**
 * Serves MCP over stdio with the SDK's transport, one message a line. Each line is checked before the SDK
 * sees it: SDK 2.4.0 drops a broken line without an answer, ends the session at an overlong one, and forgets
 * open requests when the input ends. Resolves when the input has ended and every request is answered, or when
 * nobody reads the output.
 * @example await serveStdio({ input: process.stdin, output: process.stdout, serverFor, ... });
 */
export async function serveStdio(parts: StdioParts): Promise<void> {
  const { input, output, serverFor, admissionFor, context, report } = parts;
  /** Requests without an answer: the id that the SDK sees, and the client's. */
  const open = new Map<unknown, RequestId>();
  let onAllAnswered = () => {};

  const transport = new StdioServerTransport(Readable.from(requests(), { objectMode: false }), output);
  const send = transport.send.bind(transport);
  transport.send = async message => {
    const id = 'id' in message ? message.id : undefined;
    await send(Object.assign(message, open.has(id) && { id: open.get(id) }));
    close(id);
  };
  serveSdk(async () => (await serverFor)({ context, admission: admissionFor(CLIENT), report, onRefused }), {
    transport,
    onerror: report,
  });
  const { onclose } = transport;
  await new Promise<void>(resolve => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });

  /** The lines for the SDK. Ends when the input has ended and every request is answered. */
  async function* requests(): AsyncGenerator<string> {
    for await (const line of linesOf(input)) {
      // Waits for a host that does not read its answers.
      if (output.writableNeedDrain) await once(output, 'drain');
      const message = await check(line);
      if (message !== undefined) yield `${JSON.stringify(message)}\n`;
    }
    if (open.size > 0) await new Promise<void>(resolve => (onAllAnswered = resolve));
  }

  /** @returns the message for the SDK; undefined if there is none, or if an error was the answer */
  async function check(line: Buffer): Promise<object | undefined> {
    if (line.toString().trim() === '') return undefined;
    let id: RequestId = null;
    try {
      if (line.length > MAX_LINE_BYTES) throw tooLong();
      const value = parseMessage(line);
      id = idOf(value);
      const message = readMessage(value);
      const { method, params } = message;
      const isTooLong = line.length > MAX_BODY_BYTES;
      if (isTooLong && message.id !== undefined) throw tooLong();
      // Nothing answers a notification or a response (JSON-RPC 2.0, section 4.1).
      if (isTooLong) return undefined;
      if (method === 'notifications/cancelled') close(params.requestId);
      if (message.id === undefined) return { jsonrpc: '2.0', method, params };
      await admissionFor(CLIENT).take('mcp');
      const request = sdkRequest(message, isStateless(message));
      open.set(request.id, id);
      return request;
    } catch (fault) {
      report(fault);
      output.write(`${errorText(id, asRpcError(fault))}\n`);
      return undefined;
    }
  }

  function close(sdkId: unknown): void {
    open.delete(sdkId);
    if (open.size === 0) onAllAnswered();
  }
}

/** @throws RpcError as over HTTP: -32000 with the wait */
function onRefused(error: ServiceError): never {
  throw asRpcError(error);
}

/** Longer lines than a message may have are read up to here, so that the error has their id. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const tooLong = () => invalid(`a message has at most ${MAX_BODY_BYTES} bytes`);

/**
 * Splits the input at line feeds. readline would also split at U+2028, which JSON may contain (Node 24). Of a
 * line over `MAX_LINE_BYTES` it keeps only the beginning, which is over them too.
 */
async function* linesOf(input: Readable): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let byteCount = 0;
  const add = (part: Buffer) => {
    if (byteCount <= MAX_LINE_BYTES) parts.push(part);
    byteCount += part.length;
  };
  for await (const chunk of input) {
    let remaining = Buffer.from(chunk);
    for (let end = remaining.indexOf('\n'); end >= 0; end = remaining.indexOf('\n')) {
      add(remaining.subarray(0, end));
      yield Buffer.concat(parts);
      parts = [];
      byteCount = 0;
      remaining = remaining.subarray(end + 1);
    }
    add(remaining);
  }
  yield Buffer.concat(parts);
}
