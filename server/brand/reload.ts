import { unwatchFile, watchFile } from 'node:fs';
import type { Log } from '../config/log.ts';

interface ReloadOptions<Current extends { readonly digest: string }> {
  /** Holds what requests are answered from; replaced in one assignment. */
  readonly source: { current: Current | undefined };
  /** Builds the next one aside; throws while anything about it is wrong. */
  readonly load: () => Promise<Current>;
  readonly log: Log;
}

interface WatchOptions<Current extends { readonly digest: string }> extends ReloadOptions<Current> {
  /** Files whose change reloads, besides SIGHUP. */
  readonly files?: readonly string[];
  /** How often the files are looked at. */
  readonly intervalMs?: number;
}

/**
 * Reloads on SIGHUP, and when one of the files changes. Files are polled: a replaced file, a link moved by a deployment
 * and a network disk are all seen, which `fs.watch` misses. Returns what ends the watching.
 */
export function watchBrand<Current extends { readonly digest: string }>(options: WatchOptions<Current>): () => void {
  const { files = [], intervalMs = 1000 } = options;
  const reload = createReload(options);
  process.on('SIGHUP', reload);
  for (const file of files) watchFile(file, { interval: intervalMs, persistent: false }, reload);
  return () => {
    process.off('SIGHUP', reload);
    for (const file of files) unwatchFile(file, reload);
  };
}

/**
 * One reload at a time. A call during one is answered by a second that starts afterwards, since the first may have read the
 * files too early. A fault keeps what is there, and is logged once however often it returns.
 */
export function createReload<Current extends { readonly digest: string }>({
  source,
  load,
  log,
}: ReloadOptions<Current>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let loggedFault: string | undefined;

  const reload = async () => {
    try {
      source.current = await load();
      loggedFault = undefined;
      log('info', 'reload', { digest: source.current.digest });
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      if (fault === loggedFault) return;
      loggedFault = fault;
      log('error', 'reload', { fault, effect: 'the previous profile stays in use', digest: source.current?.digest });
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
