/** One JSON line per event on stderr; stdout belongs to results and, over stdio, to the protocol. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: Readonly<Record<string, unknown>>) => void;

const FLUSH_MS = 50;

/**
 * Lines are written together, at most 50 ms late and at exit: a write per request costs more than routing it.
 * Nothing personal belongs in `fields`: no question, name, address or e-mail.
 */
export function createLog(write: (lines: string) => void = lines => process.stderr.write(lines)): Log {
  let pending = '';
  const flush = () => {
    const lines = pending;
    pending = '';
    if (lines !== '') write(lines);
  };
  process.once('exit', flush);
  return (level, event, fields = {}) => {
    if (pending === '') setTimeout(flush, FLUSH_MS).unref();
    const rest = JSON.stringify(fields).slice(1);
    pending += `{"time":"${new Date().toISOString()}","level":"${level}","event":"${event}"${rest === '}' ? '' : ','}${rest}\n`;
  };
}
