import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { ProtocolError } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import { MAX_BODY_BYTES as MAX_BYTES } from '../../rest/body.ts';
import type { ServiceError } from '../../tools/errors.ts';
import { createAdmissions } from '../limits/admission.ts';
import type { MinuteLimiter } from '../limits/minute-limiter.ts';
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
  readonly limiter: MinuteLimiter;
  /** A page that explains the limits. */
  readonly limitsUrl: string;
}

/**
 * Serves MCP over stdio with the SDK's transport, one message a line. Each line is checked before the SDK
 * sees it: SDK 2.4.0 drops a broken line without an answer, ends the session at an overlong one, and forgets
 * open requests when the input ends. Resolves when the input has ended and every request is answered, or when
 * nobody reads the output.
 * @example await serveStdio({ input: process.stdin, output: process.stdout, serverFor, ... });
 */
export async function serveStdio(parts: StdioParts): Promise<void> {
  const { input, output, serverFor, context, report, limiter, limitsUrl } = parts;
  // Nothing shows what is left.
  const admissionFor = createAdmissions({ limiter, readHourly: async () => [], limitsUrl });
  const newAdmission = () => admissionFor({ clientHash: 'stdio' });
  /** Requests without an answer: the id that the SDK sees, and the client's. */
  const open = new Map<unknown, RequestId>();
  let onAllAnswered = () => {};
  let requestCount = 0;

  const transport = new StdioServerTransport(Readable.from(requests(), { objectMode: false }), output);
  const send = transport.send.bind(transport);
  transport.send = async message => {
    const sdkId = 'id' in message ? message.id : undefined;
    const id = open.get(sdkId) ?? (open.has(sdkId) ? null : sdkId);
    await send(Object.assign(message, 'id' in message && { id }));
    close(sdkId);
  };
  serveSdk(async () => (await serverFor)({ context, admission: newAdmission(), report, onRefused }), {
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
      const request = await check(line);
      if (request !== undefined) yield `${JSON.stringify(request)}\n`;
    }
    if (open.size > 0) await new Promise<void>(resolve => (onAllAnswered = resolve));
  }

  /** @returns the message for the SDK; undefined if there is none, or if an error was the answer */
  async function check(line: Buffer): Promise<object | undefined> {
    if (line.toString().trim() === '') return undefined;
    let id: RequestId = null;
    try {
      if (line.length > MAX_READ_BYTES) throw tooLong();
      const value = parseMessage(line);
      id = idOf(value);
      const message = readMessage(value);
      const { kind, method, params } = message;
      const isTooLong = line.length > MAX_BYTES;
      if (isTooLong && kind === 'request') throw tooLong();
      // Nothing answers a notification or a response (JSON-RPC 2.0, section 4.1).
      if (isTooLong || kind === 'response') return undefined;
      if (method === 'notifications/cancelled') close(params.requestId);
      if (kind === 'notification') return { jsonrpc: '2.0', method, params };
      await newAdmission().take('mcp');
      requestCount += 1;
      const request = sdkRequest(message, isStateless(message), `null ${requestCount}`);
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

/** @throws ProtocolError as over HTTP: -32000 with the wait */
function onRefused(error: ServiceError): never {
  const { code, message, data } = asRpcError(error);
  throw new ProtocolError(code, message, data);
}

/** Lines up to this length are read although they are too long, so that the error has their id. */
const MAX_READ_BYTES = 16 * 1024 * 1024;

const tooLong = () => invalid(`a message has at most ${MAX_BYTES} bytes`);

/**
 * Splits the input at line feeds. readline would also split at U+2028, which JSON may contain (Node 24). Of a
 * line that is longer than `MAX_READ_BYTES` only the length is known.
 */
async function* linesOf(input: Readable): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    let remaining = Buffer.from(chunk);
    for (let end = remaining.indexOf('\n'); end >= 0; end = remaining.indexOf('\n')) {
      yield Buffer.concat([...parts, remaining.subarray(0, end)]);
      remaining = remaining.subarray(end + 1);
      parts = [];
      length = 0;
    }
    length += remaining.length;
    if (length <= MAX_READ_BYTES + remaining.length) parts.push(remaining);
  }
  yield Buffer.concat(parts);
}
