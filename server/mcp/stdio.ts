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
    const { id } = Object(message);
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
      const value = parseMessage(line);
      id = idOf(value);
      const message = readMessage(value);
      const { method, params } = message;
      if (method === 'notifications/cancelled') close(params.requestId);
      if (message.id === undefined) return { jsonrpc: '2.0', method, params };
      if (line.length > MAX_BODY_BYTES) throw invalid(`a message has at most ${MAX_BODY_BYTES} bytes`);
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

/** Splits the input at line feeds. readline would also split at U+2028, which JSON may contain (Node 24). */
async function* linesOf(input: Readable): AsyncGenerator<Buffer> {
  // One character a byte: parseMessage refuses bytes that are not UTF-8, and a decoder would replace them.
  input.setEncoding('latin1');
  let end = '';
  for await (const chunk of input) {
    const lines = `${end}${chunk}`.split('\n');
    end = lines.pop() ?? '';
    for (const line of lines) yield Buffer.from(line, 'latin1');
  }
  yield Buffer.from(end, 'latin1');
}
