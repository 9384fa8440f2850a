import { statfs } from 'node:fs/promises';
import { messageOf } from '../../brand/profile/thrown.ts';
import { EXPIRY_NOTICE_DAYS } from '../../brand/trust/verify-profile.ts';
import type { Log } from '../config/log.ts';
import { DAY_MS, withTimeout } from '../config/timing.ts';
import { DatabaseRefused } from '../outbox/sql.ts';
import type { Readings } from './metrics.ts';

/** What the service stands on, looked at when it is asked. */
export interface Probes extends Pick<Readings, 'profileExpiresMs' | 'now'> {
  /** Answers from the database of submissions. @throws Error when it cannot */
  readonly store: () => Promise<unknown>;
  /** Where submissions are kept; `undefined`: in a database of all instances. */
  readonly dataDirectory: string | undefined;
}

type Part = Readonly<{ name: string; state: 'ok' | 'degraded' | 'down'; message?: string }>;

export type Health = ReturnType<typeof createHealth>;

/** Below this a database cannot be written for long. Bytes. */
const MIN_DISK = 64 * 1024 * 1024;

/**
 * Well within `health_timeout` of deploy/Caddyfile: an instance that looks for longer counts as gone, and so
 * do all.
 */
const PROBE_MS = 1000;

/**
 * Whether this instance can do its work. A part that is `down` means that another instance may do better, and
 * the whole is not ready; one that is `degraded` holds for all instances alike (mail is kept and sent later,
 * their common database takes no forms), so that traffic goes on.
 */
export function createHealth({ store, profileExpiresMs, dataDirectory, now }: Probes) {
  let mail = ok('mail');
  /** Why submissions cannot be stored: a full disk and a read-only database still answer questions. */
  let writeFault: string | undefined;
  let connections = ok('connections');
  /** `down` until the server has started, and from the moment it stops. */
  let phase: Part | undefined = { name: 'process', state: 'down', message: 'is starting' };
  /**
   * Follows the events of the log: mail, database and connections say there when they go down and come back.
   */
  const follow: Log = (_level, event, fields = {}) => {
    if (event === 'mail is down') mail = degraded('mail', 'submissions are kept until it is back');
    if (event === 'mail is back') mail = ok('mail');
    if (event === 'connections' && fields.full !== undefined)
      connections = fields.full === true ? degraded('connections', 'all are taken') : ok('connections');
    if (event === 'stopping') phase = { name: 'process', state: 'down', message: 'is stopping' };
    if (event === 'submissions cannot be kept') writeFault = String(fields.fault);
    if (event === 'submissions can be kept again') writeFault = undefined;
  };
  const profile = (): Part => {
    const expires = profileExpiresMs();
    if (expires === undefined) return degraded('profile', 'no profile is loaded: questions get 503');
    const days = Math.floor((expires - now().getTime()) / DAY_MS);
    if (days < 0) return degraded('profile', 'has expired: sign it again');
    if (days < EXPIRY_NOTICE_DAYS) return degraded('profile', `expires in ${days} days`);
    return ok('profile');
  };
  return {
    follow,
    started() {
      phase = undefined;
    },
    async report() {
      const answer = writeFault === undefined ? store() : Promise.reject(new Error(writeFault));
      const parts: Part[] = [];
      if (phase) parts.push(phase);
      if (dataDirectory === undefined) {
        parts.push(await probe('store', answer, 'degraded'));
      } else {
        const probes = [probe('store', answer, 'down'), probe('disk', requireDisk(dataDirectory), 'down')];
        parts.push(...(await Promise.all(probes)));
      }
      parts.push(profile(), mail, connections);
      return { ready: parts.every(({ state }) => state !== 'down'), parts };
    },
  };
}

const ok = (name: string): Part => ({ name, state: 'ok' });
const degraded = (name: string, message: string): Part => ({ name, state: 'degraded', message });

async function requireDisk(directory: string): Promise<void> {
  const free = await freeBytes(directory);
  if (free < MIN_DISK)
    throw new Error(`${Math.round(free / 1_048_576)} MiB are free where submissions are kept`);
}

/** What is left on the disk of a directory. Bytes. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/**
 * A part that does not answer in time fails too. What refuses this program, and not another, is `down` in any
 * case.
 */
function probe(name: string, answer: Promise<unknown>, failed: Part['state']): Promise<Part> {
  return withTimeout(PROBE_MS, answer).then(
    () => ok(name),
    error => ({ name, state: error instanceof DatabaseRefused ? 'down' : failed, message: messageOf(error) }),
  );
}
