import type { Readable, Writable } from 'node:stream';
import { MAX_BODY_BYTES as MAX_BYTES } from '../../rest/body.ts';
import { createAdmission } from '../limits/admission.ts';
import type { MinuteLimiter } from '../limits/minute-limiter.ts';
import {
  asRpcError,
  errorText,
  idOf,
  invalid,
  type Message,
  parseMessage,
  type RequestId,
  readMessage,
  resultBytes,
} from './messages.ts';
import type { CallScope, Methods } from './methods.ts';

interface TransportParts extends Pick<CallScope, 'context' | 'report'> {
  readonly input: Readable;
  /** Receives one line a message, and nothing else. */
  readonly write: (line: string) => void;
  /** Of the profile, which may still be being read. */
  readonly methods: Promise<Methods>;
  readonly limiter: MinuteLimiter;
  /** Where the limits can be read. */
  readonly limitsUrl: string;
}

/**
 * MCP over stdio (Transports, 2025-06-18 and 2026-07-28): one message a line. Ours and not the SDK's transport, which drops a
 * broken line without an answer, forgets requests under way when the input ends, and takes 0.1 s to load.
 * Resolves when the input has ended and every request has been answered.
 */
export async function serveStdio(options: TransportParts): Promise<void> {
  const { input, write, methods, context, report, limiter, limitsUrl } = options;
  const underWay = new Set<Promise<void>>();
  /** What is cancelled is taken out. */
  const open = new Set<Message>();
  for await (const line of linesOf(input)) {
    if (isBlank(line)) continue;
    const answered = answer(line).then(text => {
      underWay.delete(answered);
      if (text !== undefined) write(`${text}\n`);
    });
    underWay.add(answered);
  }
  await Promise.all(underWay);

  async function answer(line: Buffer): Promise<string | undefined> {
    let id: RequestId = null;
    let request: Message | undefined;
    const isCancelled = () => request !== undefined && !open.has(request);
    try {
      const value = parseLine(line);
      id = idOf(value);
      const message = readMessage(value);
      if (message.method === 'notifications/cancelled') cancel(message.params.requestId);
      if (message.kind !== 'request') return undefined;
      request = message;
      open.add(request);
      const admission = createAdmission({
        limiter,
        // Nothing shows what is left.
        readHourly: async () => [],
        client: { clientHash: 'stdio' },
        limitsUrl,
      });
      admission.take('mcp');
      const result = await (await methods).answer(request, { context, admission, report, isCancelled });
      return isCancelled() ? undefined : String(resultBytes(id, result));
    } catch (fault) {
      report(fault);
      return isCancelled() ? undefined : errorText(id, asRpcError(fault));
    } finally {
      if (request) open.delete(request);
    }
  }

  /** What has not begun will not begin; what is under way is finished, and its answer dropped. */
  function cancel(id: unknown): void {
    for (const request of open) if (request.id === id) open.delete(request);
  }
}

/** Bytes of answers that a host has not read: beyond them nothing more of its requests is read. */
const MOST_UNREAD = 1_000_000;

/** Writes to the output, and pauses the input while the host does not read. */
export function pausing(input: Readable, output: Writable): (line: string) => void {
  return line => {
    output.write(line);
    if (output.writableLength < MOST_UNREAD || input.isPaused()) return;
    input.pause();
    output.once('drain', () => input.resume());
  };
}

/**
 * Lines end at a line feed and nowhere else: readline also ends them at U+2028, which JSON may hold (Node 24).
 * What is longer than a message may be is kept no longer than it takes to say so.
 */
async function* linesOf(input: Readable): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of input) {
    rest = Buffer.concat([rest, Buffer.from(chunk)]);
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
    rest = rest.subarray(0, MAX_BYTES + 1);
  }
  yield rest;
}

const isBlank = (line: Buffer) => line.length <= MAX_BYTES && line.toString().trim() === '';

function parseLine(line: Buffer): unknown {
  if (line.length <= MAX_BYTES) return parseMessage(line);
  throw invalid(`a message has at most ${MAX_BYTES} bytes`);
}
