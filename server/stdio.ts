import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ToolContext } from '../tools/tool.ts';
import { createAdmission } from './admission.ts';
import {
  asRpcError,
  errorText,
  idOf,
  invalid,
  parseMessage,
  type RequestId,
  readMessage,
  resultText,
} from './mcp/json-rpc.ts';
import type { Methods } from './mcp/methods.ts';
import type { RateLimiter } from './rate-limiter.ts';

interface Options {
  readonly input: Readable;
  /** Receives one line a message, and nothing else. */
  readonly write: (line: string) => void;
  readonly methods: Methods;
  readonly context: () => Promise<ToolContext>;
  readonly limiter: RateLimiter;
  /** Where the limits can be read. */
  readonly limitsUrl: string;
}

const MAX_CHARACTERS = 32 * 1024;

/**
 * MCP over stdio (Transports, 2025-06-18 and 2026-07-28): one message a line. Ours and not the SDK's transport, which drops a
 * broken line without an answer, forgets requests under way when the input ends, and takes 0.1 s to load.
 * Resolves when the input has ended and every request has been answered.
 */
export async function serveStdio({ input, write, methods, context, limiter, limitsUrl }: Options): Promise<void> {
  const underWay = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    const answered = answer(line).then(text => {
      underWay.delete(answered);
      if (text !== undefined) write(`${text}\n`);
    });
    underWay.add(answered);
  }
  await Promise.all(underWay);

  async function answer(line: string): Promise<string | undefined> {
    let id: RequestId = null;
    try {
      const value = parseLine(line);
      id = idOf(value);
      const message = readMessage(value);
      if (message.kind !== 'request') return undefined;
      const admission = createAdmission({ limiter, client: 'stdio', limitsUrl });
      await admission.take('mcp');
      return resultText(id, await methods.answer(message, { context, admission }));
    } catch (fault) {
      return errorText(id, asRpcError(fault));
    }
  }
}

function parseLine(line: string): unknown {
  if (line.length <= MAX_CHARACTERS) return parseMessage(Buffer.from(line));
  throw invalid(`a message has at most ${MAX_CHARACTERS} characters`);
}
