import { randomBytes } from 'node:crypto';
import type { Deliver, DeliverOutcome, Submission } from '../../tools/deliver.ts';
import type { Log } from '../config/log.ts';
import { codeOf } from '../config/private-files.ts';
import type { Clock } from './clock.ts';
import type { Courier } from './courier.ts';
import { type Entry, isPending } from './entry.ts';
import type { InFlight, Sent } from './in-flight.ts';
import type { Ledger } from './ledger.ts';
import type { Redelivery } from './redelivery.ts';
import { type Identity, identityOf, repeatOf } from './repeats.ts';

interface IntakeParts {
  readonly ledger: Ledger;
  readonly courier: Courier;
  readonly redelivery: Redelivery;
  readonly inFlight: InFlight;
  readonly clock: Clock;
  readonly log: Log;
  readonly closing: AbortSignal;
}

/** Disk first, then mail: from the moment of `received` on disk a submission cannot be lost. */
export function createIntake({ ledger, courier, redelivery, inFlight, clock, log, closing }: IntakeParts): Deliver {
  const sendNow = async (entry: Entry): Promise<Sent> => {
    const failure = await courier.sendInTime(entry);
    if (!failure) return 'delivered';
    redelivery.planTeam(entry, 0, failure);
    return 'kept';
  };

  const receive = async (submission: Submission, identity: Identity, id: string): Promise<Sent> => {
    const { kind, channel, fields, suspect } = submission;
    try {
      const record = {
        record: 'received',
        id,
        atMs: clock.now(),
        kind,
        channel,
        fields,
        suspect,
        ...identity,
      } as const;
      return await sendNow(await ledger.receive(record));
    } catch (cause) {
      log('error', 'submission not kept', { id, kind, cause: codeOf(cause), alarm: true });
      return 'not-kept';
    }
  };

  return async submission => {
    if (closing.aborted) return { outcome: 'not-kept' };
    const identity = identityOf(submission);
    const earlier = repeatOf(ledger.entries.values(), identity, clock.now());
    if (earlier === 'conflict') return { outcome: 'conflict' };
    if (earlier && !isPending(earlier)) return { outcome: 'replayed', id: earlier.id };
    const id = earlier?.id ?? `sub-${randomBytes(8).toString('hex')}`;
    const sent = await inFlight.join(id, () => (earlier ? sendNow(earlier) : receive(submission, identity, id)));
    return outcomeOf(sent, id);
  };
}

function outcomeOf(outcome: Sent, id: string): DeliverOutcome {
  return outcome === 'not-kept' ? { outcome } : { outcome, id };
}
