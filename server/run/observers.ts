import type { Mode } from '../../tools/deliver.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import * as archive from '../outbox/archive.ts';
import type { Database } from '../outbox/sql.ts';
import { requireKnown } from '../outbox/tables.ts';
import { type AdminServer, startAdmin } from './admin.ts';
import type { ServedBrand } from './served-brand.ts';

interface Observers {
  readonly log: Log;
  readonly counting: (brand: ServedBrand) => ServedBrand;
  readonly open: () => Promise<AdminServer | undefined>;
}

interface Observed {
  readonly database: Database;
  readonly mode: Mode;
  readonly inUse: () => ServedBrand | undefined;
}

/**
 * Whoever follows the server beside its log: health and metrics, where the configuration asks for them; their code is loaded
 * only then.
 * @returns `log`, which they follow; `counting`: the same brand, whose answers to clients are counted; `open` opens the port
 */
export async function createObservers(config: Config, log: Log, observed: Observed): Promise<Observers> {
  const { port, host } = config.admin;
  if (port === undefined) return { log, counting: brand => brand, open: async () => undefined };
  const [{ createMetrics }, { createHealth, freeBytes }] = await Promise.all([
    import('./metrics.ts'),
    import('./health.ts'),
  ]);
  const readings = { ...readingsOf(observed), diskFree: () => freeBytes(config.dataDirectory) };
  const metrics = createMetrics(readings, config.site);
  const dataDirectory = config.databaseUrl === undefined ? config.dataDirectory : undefined;
  const health = createHealth({ ...readings, dataDirectory });
  return {
    log(...line) {
      for (const follow of [log, metrics.follow, health.follow]) follow(...line);
    },
    counting: brand => ({
      ...brand,
      async ask(query, asker) {
        const answer = await brand.ask(query, asker);
        // The pages ask too, for the questions that they suggest: nobody asked those.
        if (asker !== undefined) metrics.answered(answer);
        return answer;
      },
    }),
    open: () => startAdmin({ port, host, health, metrics }),
  };
}

function readingsOf({ database, mode, inUse }: Observed) {
  const now = () => new Date();
  return {
    now,
    tableAlone: () => inUse()?.alone() ?? 0,
    profileExpiresMs() {
      const brand = inUse();
      return brand && Date.parse(brand.profile.expires_at);
    },
    store: () => requireKnown(database.query),
    async submissions() {
      const byState = await archive.counts(database, mode);
      byState.set('overdue', await archive.overdue(database, now().getTime()));
      return { byState, oldestPendingMs: await archive.oldestPendingMs(database, mode) };
    },
  };
}
