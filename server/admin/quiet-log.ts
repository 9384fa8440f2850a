import type { Log } from '../config/log.ts';

/** Lines a minute about the refused requests of one client; whatever it sends beyond them is told as a count. */
const MOST_LINES = 60;

const MINUTE_MS = 60_000;

/** Clients that are told apart; a flood from more addresses is counted as one. */
const MOST_CLIENTS = 10_000;

/** The same log, which a flood of refused requests cannot fill. Metrics and alarms follow the events before this. */
export function createQuietLog(log: Log): Log {
  const refused = new Map<string, number>();
  const tellRest = () => {
    for (const [client, count] of refused) {
      if (count > MOST_LINES) log('info', 'requests not logged', { client, count: count - MOST_LINES });
    }
    refused.clear();
  };
  return (level, event, fields = {}) => {
    if (event !== 'request' || Number(fields.status) < 400) return log(level, event, fields);
    if (refused.size === 0) setTimeout(tellRest, MINUTE_MS).unref();
    const client = refused.size < MOST_CLIENTS || refused.has(String(fields.client)) ? String(fields.client) : 'others';
    const count = (refused.get(client) ?? 0) + 1;
    refused.set(client, count);
    if (count <= MOST_LINES) log(level, event, fields);
  };
}
