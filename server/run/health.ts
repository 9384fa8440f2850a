import { statfs } from 'node:fs/promises';
import { messageOf } from '../../brand/profile/thrown.ts';
import { EXPIRY_NOTICE_DAYS } from '../../brand/trust/verify-profile.ts';
import type { Log } from '../config/log.ts';
import { DAY_MS, inTime, systemClock } from '../config/timing.ts';
import { DatabaseRefused } from '../outbox/sql.ts';
import { requireKnown } from '../outbox/tables.ts';
import type { Observed } from './metrics.ts';

type Part = Readonly<{ name: string; state: 'ok' | 'degraded' | 'down'; message?: string }>;

export type Health = ReturnType<typeof createHealth>;

/** Least free bytes: with fewer the database will soon fail to write. */
const MIN_DISK = 64 * 1024 * 1024;

/** Bound of the probes, which run at once: well below `health_timeout` of deploy/Caddyfile. */
const PROBE_MS = 1000;

/**
 * Judges whether this instance can work. `down`: this instance has the problem and another may be healthy, so
 * it is not ready. `degraded`: all instances have it (mail, their common database), so it stays ready.
 */
export function createHealth({ config, database, profile }: Omit<Observed, 'mode'>) {
  /** Undefined between start and stop. */
  let phase: string | undefined = 'is starting';
  let isMailDown = false;
  /** Why submissions cannot be stored. A full disk or a read-only database still answers a query. */
  let writeFault: string | undefined;
  /** Follows the log, which says when mail and database fail and recover. */
  const follow: Log = (_level, event, fields = {}) => {
    if (event === 'mail is down') isMailDown = true;
    if (event === 'mail is back') isMailDown = false;
    if (event === 'stopping') phase = 'is stopping';
    if (event === 'submissions cannot be kept') writeFault = String(fields.fault);
    if (event === 'submissions can be kept again') writeFault = undefined;
  };
  const requireStore = async () => {
    await requireKnown(database.query);
    if (writeFault !== undefined) throw new Error(writeFault);
  };
  const profilePart = (): Part => {
    const currentProfile = profile();
    if (!currentProfile) return degraded('profile', 'no profile is loaded: questions get 503');
    const days = Math.floor((Date.parse(currentProfile.expires_at) - Date.now()) / DAY_MS);
    if (days < 0) return degraded('profile', 'has expired: sign it again');
    if (days < EXPIRY_NOTICE_DAYS) return degraded('profile', `expires in ${days} days`);
    return { name: 'profile', state: 'ok' };
  };
  return {
    follow,
    started() {
      phase = undefined;
    },
    async report() {
      const parts: Part[] = [];
      if (phase !== undefined) parts.push({ name: 'process', state: 'down', message: phase });
      // All instances share Postgres.
      const isShared = config.databaseUrl !== undefined;
      const probes = [probe('store', requireStore(), isShared ? 'degraded' : 'down')];
      if (!isShared) probes.push(probe('disk', requireDisk(config.dataDirectory), 'down'));
      parts.push(...(await Promise.all(probes)));
      parts.push(profilePart());
      if (isMailDown) parts.push(degraded('mail', 'submissions are kept until it is back'));
      else parts.push({ name: 'mail', state: 'ok' });
      return { ready: parts.every(({ state }) => state !== 'down'), parts };
    },
  };
}

const degraded = (name: string, message: string): Part => ({ name, state: 'degraded', message });

async function requireDisk(directory: string): Promise<void> {
  const free = await freeBytes(directory);
  if (free < MIN_DISK)
    throw new Error(`${Math.round(free / 1_048_576)} MiB are free where submissions are kept`);
}

/** Free bytes on the disk of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/**
 * Probes a part. A late answer is `degraded`: under load all instances are slow at the same time. A database
 * that refuses this program's version is always `down`: another instance may have the right version.
 */
async function probe(name: string, answer: Promise<unknown>, failed: Part['state']): Promise<Part> {
  try {
    const answered = answer.then((): Part => ({ name, state: 'ok' }));
    const part = await inTime(systemClock, PROBE_MS, answered);
    return part ?? degraded(name, `no answer within ${PROBE_MS / 1000} s`);
  } catch (error) {
    return { name, state: error instanceof DatabaseRefused ? 'down' : failed, message: messageOf(error) };
  }
}
