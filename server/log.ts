/** One JSON line per event on stderr; stdout belongs to results and, over stdio, to the protocol. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: Readonly<Record<string, unknown>>) => void;

/**
 * Lines of one turn of the event loop are written together: a write per request costs as much as routing it.
 * Nothing personal belongs in `fields`: no question, name, address or e-mail.
 */
export function createLog(write: (lines: string) => void = lines => process.stderr.write(lines)): Log {
  let pending = '';
  const flush = () => {
    const lines = pending;
    pending = '';
    write(lines);
  };
  return (level, event, fields) => {
    if (pending === '') setImmediate(flush);
    pending += `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`;
  };
}
