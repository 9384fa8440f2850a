import { messageOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';

/**
 * Runs one reload at a time. A call during a reload starts another afterwards, because the first may have
 * read old files. On a fault the old profile stays, and the log has the fault, as an alarm once.
 * @param replace builds everything from the next profile, then takes it into use; throws where anything fails
 * before
 */
export function createReload(
  log: Log,
  replace: () => Promise<{ readonly digest: string }>,
): () => Promise<void> {
  let lastReload = Promise.resolve();
  let isWaiting = false;
  let loggedFault: string | undefined;

  const reload = async () => {
    isWaiting = false;
    try {
      const { digest } = await replace();
      loggedFault = undefined;
      log('info', 'reload', { digest });
    } catch (error) {
      const fault = messageOf(error);
      const effect = 'the previous profile stays in use';
      if (fault === loggedFault) log('warn', 'reload', { fault, effect });
      else log('error', 'reload', { fault, effect, alarm: true });
      loggedFault = fault;
    }
  };
  return () => {
    if (!isWaiting) lastReload = lastReload.then(reload);
    isWaiting = true;
    return lastReload;
  };
}
