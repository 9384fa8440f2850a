import { unwatchFile, watchFile } from 'node:fs';
import { messageOf } from '../../brand/profile/thrown.ts';
import type { Log } from '../config/log.ts';

interface ReloadOptions<Next extends { readonly digest: string }> {
  /** Reads the next profile; throws while anything about it is wrong. */
  readonly load: () => Promise<Next>;
  /** Puts it in the place of the one in use, once everything made of it is built; throws when that fails. */
  readonly use: (next: Next) => Promise<void> | void;
  readonly log: Log;
}

/**
 * Calls back when one of the files changes. Files are polled: a replaced file, a link moved by a deployment and a network
 * disk are all seen, which `fs.watch` misses. Returns what ends the watching.
 */
export function watchFiles(files: readonly string[], changed: () => void, intervalMs = 1000): () => void {
  for (const file of files) watchFile(file, { interval: intervalMs, persistent: false }, changed);
  return () => {
    for (const file of files) unwatchFile(file, changed);
  };
}

/**
 * One reload at a time. A call during one is answered by a second that starts afterwards, since the first may have read the
 * files too early. A fault keeps what is there, and is logged once however often it returns.
 */
export function createReload<Next extends { readonly digest: string }>({
  load,
  use,
  log,
}: ReloadOptions<Next>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let loggedFault: string | undefined;

  const reload = async () => {
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
  const start = () => {
    running = reload().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return start();
    following ??= running.then(() => {
      following = undefined;
      return start();
    });
    return following;
  };
}
