import { POSTGRES, STORES } from '../support/stores.ts';

/** The behaviours of the store, word for word, on the other database. */
STORES.splice(0, STORES.length, POSTGRES);
await import('./store.test.ts');
await import('./outbox.test.ts');
await import('./hourly-limits.test.ts');
await import('./webhook.test.ts');
await import('../owner/asked.test.ts');
