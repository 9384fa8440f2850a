import { readConfig } from '../server/config.ts';
import { createLog } from '../server/log.ts';
import { startServer } from '../server/start.ts';
import { exampleBrand } from '../test/support.ts';
import { answerTo } from './mcp-stub.ts';

/** The real server with its limits, headers and log; only the brand answers without searching. */
const log = createLog();
const brand = { ...(await exampleBrand()), ask: async (query: string) => answerTo(query) };
const { url } = await startServer({
  config: readConfig({ PORT: '0', LIMIT_DEFAULT: '9999999/1' }),
  brand: { current: brand },
  log,
  outbox: { deliver: async () => ({ outcome: 'not-kept' }), actionTimesMs: () => [] },
});
log('info', 'listening', { url });
