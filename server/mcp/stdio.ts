import type { Readable } from 'node:stream';
import { MAX_BODY_BYTES as MAX_BYTES } from '../../rest/http/body.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { createAdmission } from '../limits/admission.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import {
  asRpcError,
  errorText,
  idOf,
  invalid,
  parseMessage,
  type RequestId,
  readMessage,
  responseBody,
} from './json-rpc.ts';
import type { Methods } from './methods.ts';

interface Options {
  readonly input: Readable;
  /** Receives one line a message, and nothing else. */
  readonly write: (line: string) => void;
  /** Of the profile, which may still be being read. */
  readonly methods: Promise<Methods>;
  readonly context: () => Promise<ToolContext>;
  readonly limiter: RateLimiter;
  /** Where the limits can be read. */
  readonly limitsUrl: string;
  /** Tells the log of a fault that is answered here. */
  readonly report: (fault: unknown) => void;
}

/**
 * MCP over stdio (Transports, 2025-06-18 and 2026-07-28): one message a line. Ours and not the SDK's transport, which drops a
 * broken line without an answer, forgets requests under way when the input ends, and takes 0.1 s to load.
 * Resolves when the input has ended and every request has been answered.
 */
export async function serveStdio(options: Options): Promise<void> {
  const { input, write, methods, context, limiter, limitsUrl, report } = options;
  const underWay = new Set<Promise<void>>();
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
    try {
      const value = parseLine(line);
      id = idOf(value);
      const message = readMessage(value);
      if (message.kind !== 'request') return undefined;
      const admission = createAdmission({ limiter, client: 'stdio', limitsUrl });
      await admission.take('mcp');
      return responseBody(id, await (await methods).answer(message, { context, admission, report })).toString();
    } catch (fault) {
      report(fault);
      return errorText(id, asRpcError(fault));
    }
  }
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
