import { statusOf } from '../../rest/response.ts';
import { ServiceError } from '../../tools/errors.ts';

type Level = 'info' | 'warn' | 'error';
type Fields = Readonly<Record<string, unknown>>;

/** Every event of the log. Metrics and health name events too: a name that nobody logs does not compile. */
// biome-ignore format: a line a subject
export type LogEvent =
  | 'configuration' | 'listening' | 'connections' | 'proxy' | 'stopping' | 'stopped'
  | 'model' | 'brand' | 'reload' | 'asked'
  | 'request' | 'fault' | 'unforeseen'
  | 'submission received' | 'submission' | 'submission kept' | 'submission not kept' | 'submission overdue'
  | 'webhook' | 'webhook given up'
  | 'mail' | 'mail failed' | 'mail is down' | 'mail is back' | 'outcome not noted'
  | 'confirmation waits' | 'confirmation skipped' | 'confirmation given up'
  | 'submissions cannot be kept' | 'submissions can be kept again'
  | 'old submissions purged' | 'purge failed';

/** One line per event on stderr; stdout belongs to results and, over stdio, to the protocol. */
export type Log = (level: Level, event: LogEvent, fields?: Fields) => void;

/** `json`: an object a line, for programs; `text`: a line for the person at the terminal. */
type LogFormat = 'json' | 'text';

const FLUSH_MS = 50;

const toStderr = (lines: string) => process.stderr.write(lines);

export interface LogOptions {
  readonly write?: (lines: string) => void;
  readonly format?: LogFormat;
  /** Host of the site, in each line of `json`: several sites may share one log. */
  readonly site?: string | undefined;
}

/**
 * Makes a log. It writes lines together after at most 50 ms: one write costs more than routing a request.
 * Nothing personal belongs in `fields`: no question, name, address or e-mail.
 * @example
 * const log = createLog({ site: 'acme.example' });
 * log('info', 'listening', { url });
 */
export function createLog({ write = toStderr, format = 'json', site }: LogOptions = {}): Log {
  let pending: string[] = [];
  const flush = () => {
    const lines = pending.join('');
    pending = [];
    if (lines !== '') write(lines);
  };
  process.once('exit', flush);
  // The reader of the log may end (`2>&1 | head`). Without a listener EPIPE would end this process.
  process.stderr.on('error', () => {});
  return (level, event, fields = {}) => {
    if (pending.length === 0) setTimeout(flush, FLUSH_MS).unref();
    const line =
      format === 'text'
        ? textLine(level, event, fields)
        : JSON.stringify({ time: new Date().toISOString(), level, site, event, ...fields });
    pending.push(`${line}\n`);
  };
}

function textLine(level: Level, event: LogEvent, fields: Fields): string {
  const time = new Date().toTimeString().slice(0, 8);
  if (event === 'request') {
    const { method, route, status, ms } = fields;
    return `${time}  ${String(method).padEnd(7)} ${status}  ${String(route).padEnd(24)} ${ms} ms`;
  }
  const mark = level === 'info' ? '' : `${level}: `;
  return `${time}  ${mark}${eventText(event, fields)}`;
}

function eventText(event: string, fields: Fields): string {
  const details = Object.entries(fields).map(([name, value]) => {
    return typeof value === 'string' && value.includes(' ') ? value : `${name} ${JSON.stringify(value)}`;
  });
  return details.length > 0 ? `${event}: ${details.join('; ')}` : event;
}

interface Place {
  readonly route: string | undefined;
  /** The `id` of the request's line. */
  readonly request?: string | undefined;
}

/**
 * Logs a fault of a request. An unforeseen fault, or one of the server, gets a line.
 * @returns members for the line of the request
 */
export function logFault(log: Log, place: Place, fault: unknown): Readonly<Record<string, string>> {
  if (!(fault instanceof ServiceError)) {
    if (!isProtocolError(fault)) log('error', 'unforeseen', { ...place, ...originOf(fault) });
    return {};
  }
  const { code, details, cause } = fault;
  if (cause !== undefined && statusOf(fault) >= 500)
    log('error', 'fault', { ...place, code, ...originOf(cause) });
  return { code, ...details.logged };
}

/** A protocol error of JSON-RPC is an answer, not a fault. */
const isProtocolError = (fault: unknown) => fault instanceof Error && fault.name === 'RpcError';

/** Where a fault arose. The message is left out, because it may quote what a person wrote. */
function originOf(thrown: unknown) {
  if (!(thrown instanceof Error)) return { cause: typeof thrown };
  const frames = (thrown.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return { cause: thrown.name, at: frames.slice(0, 3).map(line => line.trim()) };
}
