/** One JSON line per event on stderr; stdout belongs to results and, over stdio, to the protocol. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: Readonly<Record<string, unknown>>) => void;

const FLUSH_MS = 50;

/** Room for the lines of 50 ms under load. */
const BUFFER_BYTES = 64 * 1024;

/**
 * Lines are written together, at most 50 ms late and at exit: a write per request costs more than routing it. They wait
 * as bytes, since texts that wait are what the garbage collector copies.
 * Nothing personal belongs in `fields`: no question, name, address or e-mail.
 */
export function createLog(write: (lines: string) => void = lines => process.stderr.write(lines)): Log {
  const pending = Buffer.allocUnsafe(BUFFER_BYTES);
  let length = 0;
  const flush = () => {
    if (length > 0) write(pending.toString('utf8', 0, length));
    length = 0;
  };
  process.once('exit', flush);
  // Whoever reads the log may go away (`2>&1 | head`); without a listener that would end the process (EPIPE).
  process.stderr.on('error', () => {});
  return (level, event, fields = {}) => {
    if (length === 0) setTimeout(flush, FLUSH_MS).unref();
    const rest = JSON.stringify(fields).slice(1);
    const line = `{"time":"${new Date().toISOString()}","level":"${level}","event":"${event}"${rest === '}' ? '' : ','}${rest}\n`;
    const mostBytes = line.length * 3;
    if (mostBytes > BUFFER_BYTES - length) flush();
    if (mostBytes > BUFFER_BYTES) write(line);
    else length += pending.write(line, length);
  };
}
