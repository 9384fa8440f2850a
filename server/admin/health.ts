import { statfs } from 'node:fs/promises';
import { messageOf } from '../../brand/profile/thrown.ts';
import { EXPIRY_NOTICE_DAYS } from '../../brand/trust/verify-profile.ts';
import type { Log } from '../config/log.ts';
import { DatabaseRefused } from '../database/sql.ts';

/** What the service stands on, looked at when it is asked. */
export interface Probes {
  /** Answers from the database of submissions. @throws Error when it cannot */
  readonly store: () => Promise<unknown>;
  /** When the profile in use ends, in milliseconds of Unix time; `undefined` without a profile. */
  readonly profileExpiresMs: () => number | undefined;
  /** Where submissions are kept; `undefined`: in a database of all instances. */
  readonly dataDirectory: string | undefined;
  readonly now: () => Date;
}

export interface Part {
  readonly name: string;
  readonly state: 'ok' | 'degraded' | 'down';
  /** For the operator. */
  readonly says?: string;
}

export interface Health {
  /** Follows the events of the log: mail and Redis say there when they go down and come back. */
  readonly follow: Log;
  readonly report: () => Promise<{ readonly ready: boolean; readonly parts: readonly Part[] }>;
}

/** Below this a database cannot be written for long. Bytes. */
const LEAST_DISK = 64 * 1024 * 1024;

const PROBE_MS = 2000;

/**
 * Whether this instance can do its work. A part that is `down` means that another instance may do better, and the whole
 * is not ready; one that is `degraded` holds for all instances alike (mail is kept and sent later, limits are counted
 * apart, their common database takes no forms), so that traffic goes on.
 */
export function createHealth({ store, profileExpiresMs, dataDirectory, now }: Probes): Health {
  let answeredBy: string | undefined;
  let mail: Part = { name: 'mail', state: 'ok' };
  let limits: Part = { name: 'redis', state: 'ok' };
  const stopping: Part[] = [];
  const follow: Log = (_level, event, fields = {}) => {
    if (event === 'mail is down')
      mail = { name: 'mail', state: 'degraded', says: 'submissions are kept until it is back' };
    if (event === 'brand' && fields.answeredBy !== undefined) answeredBy = `answered by ${fields.answeredBy}`;
    if (event === 'mail is back') mail = { name: 'mail', state: 'ok' };
    if (event === 'stopping') stopping.push({ name: 'process', state: 'down', says: 'is stopping' });
    if (event !== 'limits') return;
    limits =
      fields.shared === true
        ? { name: 'redis', state: 'ok' }
        : { name: 'redis', state: 'degraded', says: String(fields.effect) };
  };
  const profile = (): Part => {
    const expires = profileExpiresMs();
    if (expires === undefined)
      return { name: 'profile', state: 'degraded', says: 'no profile is loaded: questions get 503' };
    const days = Math.floor((expires - now().getTime()) / 86_400_000);
    if (days < 0) return { name: 'profile', state: 'degraded', says: 'has expired: sign it again' };
    return days < EXPIRY_NOTICE_DAYS
      ? { name: 'profile', state: 'degraded', says: `expires in ${days} days` }
      : { name: 'profile', state: 'ok', ...(answeredBy !== undefined && { says: answeredBy }) };
  };
  const disk = async (directory: string): Promise<Part> => {
    const { bavail, bsize } = await statfs(directory);
    const free = bavail * bsize;
    return free < LEAST_DISK
      ? { name: 'disk', state: 'down', says: `${Math.round(free / 1_048_576)} MiB are free where submissions are kept` }
      : { name: 'disk', state: 'ok' };
  };
  return {
    follow,
    async report() {
      const answered = store().then((): Part => ({ name: 'store', state: 'ok' }));
      const kept =
        dataDirectory === undefined
          ? [probe('store', answered, 'degraded')]
          : [probe('store', answered), probe('disk', disk(dataDirectory))];
      const parts = await Promise.all([...stopping, ...kept, profile(), mail, limits]);
      return { ready: parts.every(({ state }) => state !== 'down'), parts };
    },
  };
}

/** A part that does not answer in time fails too. What refuses this program, and not another, is `down` in any case. */
function probe(name: string, answer: Promise<Part>, failed: Part['state'] = 'down'): Promise<Part> {
  const fails = (says: string, state = failed): Part => ({ name, state, says });
  const late = new Promise<Part>(resolve => {
    setTimeout(() => resolve(fails(`no answer within ${PROBE_MS / 1000} s`)), PROBE_MS).unref();
  });
  return Promise.race([
    answer.catch(error => fails(messageOf(error), error instanceof DatabaseRefused ? 'down' : failed)),
    late,
  ]);
}
