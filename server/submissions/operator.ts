import { type Clock, DAY_MS } from './clock.ts';
import type { CommandResult, CommandRow, OutboxCommand } from './command.ts';
import type { Courier } from './courier.ts';
import { type Entry, isPending } from './entry.ts';
import type { InFlight } from './in-flight.ts';
import type { Ledger } from './ledger.ts';
import type { Redelivery } from './redelivery.ts';

interface OperatorParts {
  readonly ledger: Ledger;
  readonly courier: Courier;
  readonly redelivery: Redelivery;
  readonly inFlight: InFlight;
  readonly isMailDown: () => boolean;
  readonly clock: Clock;
}

/** Carries out an operator's command. */
export function createOperator(parts: OperatorParts): (command: OutboxCommand) => Promise<CommandResult> {
  const { ledger, courier, redelivery, inFlight, isMailDown, clock } = parts;

  /** One attempt, even while mail is known to be down: the operator may just have mended it. */
  const retry = async (entry: Entry): Promise<CommandRow> => {
    const { id } = entry;
    if (inFlight.has(id)) return { id, result: 'being-sent' };
    const sent = await inFlight.join(id, async () => {
      const failure = await courier.sendOnce(entry, 'team');
      if (!failure) return 'delivered';
      redelivery.planTeam(entry, 0, failure);
      return 'kept';
    });
    return sent === 'delivered' ? { id, result: sent } : { id, result: 'kept', code: entry.lastFailure?.code };
  };

  const retryAll = async (): Promise<CommandRow[]> => {
    const rows: CommandRow[] = [];
    for (const entry of [...ledger.entries.values()].filter(isPending)) {
      if (rows.length > 0 && isMailDown()) rows.push({ id: entry.id, result: 'kept', code: 'mail-is-down' });
      else if (isPending(entry)) rows.push(await retry(entry));
    }
    return rows;
  };

  const abandon = async ({ id }: Entry, by: string): Promise<CommandRow> => {
    if (inFlight.has(id)) return { id, result: 'being-sent' };
    redelivery.cancel(id);
    await ledger.note({ record: 'abandoned', id, atMs: clock.now(), by });
    return { id, result: 'abandoned' };
  };

  const purge = async (olderThanDays: number): Promise<CommandRow[]> => {
    const ids = await ledger.purge(clock.now() - olderThanDays * DAY_MS);
    return ids.map(id => ({ id, result: 'purged' }) as const);
  };

  /** A row for the one submission named, if there is something left to do for it. */
  const forPending = async (id: string, act: (entry: Entry) => Promise<CommandRow>): Promise<CommandRow[]> => {
    const entry = ledger.entries.get(id);
    if (!entry) return [{ id, result: 'unknown' }];
    return [isPending(entry) ? await act(entry) : { id, result: 'finished' }];
  };

  return async command => {
    switch (command.command) {
      case 'retry':
        return { rows: await forPending(command.id, retry) };
      case 'retry-all':
        return { rows: await retryAll() };
      case 'abandon':
        return { rows: await forPending(command.id, entry => abandon(entry, command.by)) };
      case 'purge':
        return { rows: await purge(command.olderThanDays) };
    }
  };
}
