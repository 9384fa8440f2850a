import { messageOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';

interface ReloadOptions<Next extends { readonly digest: string }> {
  readonly load: () => Promise<Next>;
  readonly use: (next: Next) => Promise<void> | void;
  readonly log: Log;
}

/**
 * Runs one reload at a time. A call during a reload starts another afterwards, because the first may have read old files. On
 * a fault the old profile stays, and the log has the fault once.
 */
export function createReload<Next extends { readonly digest: string }>({
  load,
  use,
  log,
}: ReloadOptions<Next>): () => Promise<void> {
  let last = Promise.resolve();
  let isWaiting = false;
  let loggedFault: string | undefined;

  const reload = async () => {
    isWaiting = false;
    try {
      const next = await load();
      await use(next);
      loggedFault = undefined;
      log('info', 'reload', { digest: next.digest });
    } catch (error) {
      const fault = messageOf(error);
      if (fault === loggedFault) return;
      loggedFault = fault;
      log('error', 'reload', { fault, effect: 'the previous profile stays in use', alarm: true });
    }
  };
  return () => {
    if (!isWaiting) last = last.then(reload);
    isWaiting = true;
    return last;
  };
}
