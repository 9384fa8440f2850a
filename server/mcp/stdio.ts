import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import { MAX_BODY_BYTES as MAX_BYTES } from '../../rest/body.ts';
import { createAdmission } from '../limits/admission.ts';
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
  /** Receives one line a message, and nothing else. */
  readonly output: Writable;
  /** Of the profile, which may still be being read. */
  readonly serverFor: Promise<ServerFor>;
  readonly limiter: MinuteLimiter;
  /** Where the limits can be read. */
  readonly limitsUrl: string;
}

/**
 * MCP over stdio by the SDK's transport, one message a line. In front, each line is checked: SDK 2.4.0 drops
 * a broken line without an answer, ends the session at an overlong one, and forgets open requests when the
 * input ends. Resolves when the input has ended and every request has been answered, or when nobody reads the
 * output any more.
 */
export async function serveStdio(parts: StdioParts): Promise<void> {
  const { input, output, serverFor, context, report, limiter, limitsUrl } = parts;
  const admission = createAdmission({
    limiter,
    // Nothing shows what is left.
    readHourly: async () => [],
    client: { clientHash: 'stdio' },
    limitsUrl,
  });
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
  serveSdk(async () => (await serverFor)({ context, admission, report }), { transport, onerror: report });
  const { onclose } = transport;
  await new Promise<void>(resolve => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });

  /** The lines that the SDK gets. Ends when the input has ended and everything is answered. */
  async function* requests(): AsyncGenerator<string> {
    for await (const line of linesOf(input)) {
      // A host that does not read its answers gets no further ones.
      if (output.writableNeedDrain) await once(output, 'drain');
      const request = await check(line);
      if (request !== undefined) yield `${JSON.stringify(request)}\n`;
    }
    if (open.size > 0) await new Promise<void>(resolve => (onAllAnswered = resolve));
  }

  /** @returns what the SDK takes of a line; nothing where there is no request, or an error is the answer */
  async function check(line: Buffer): Promise<object | undefined> {
    if (line.length <= MAX_BYTES && line.toString().trim() === '') return undefined;
    let id: RequestId = null;
    try {
      if (line.length > MAX_READ_BYTES) throw tooLong();
      const value = parseMessage(line);
      id = idOf(value);
      if (line.length > MAX_BYTES) throw tooLong();
      const message = readMessage(value);
      const { kind, method, params } = message;
      if (method === 'notifications/cancelled') close(params.requestId);
      if (kind === 'notification') return { jsonrpc: '2.0', method, params };
      if (kind === 'response') return undefined;
      admission.take('mcp');
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

/** A line of up to this many bytes is read, though it is too long, so that the error can name its id. */
const MAX_READ_BYTES = 16 * 1024 * 1024;

const tooLong = () => invalid(`a message has at most ${MAX_BYTES} bytes`);

/**
 * Lines end at a line feed and nowhere else: readline also ends them at U+2028, which JSON may hold (Node
 * 24). Of a longer line than can be read, only the length is known.
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
