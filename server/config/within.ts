import { setTimeout } from 'node:timers/promises';

/** What comes of the work, where it comes in time. @throws Error where it does not */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const done = new AbortController();
  const late = setTimeout(ms, undefined, { ref: false, signal: done.signal }).then(() => {
    throw new Error(`no answer within ${ms / 1000} s`);
  });
  late.catch(() => {});
  return Promise.race([work, late]).finally(() => done.abort());
}
