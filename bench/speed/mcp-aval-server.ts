import { openedWhenAsked } from '../../server/database/database.ts';
import { exampleBrand, ROOT } from '../../test/support.ts';
import { answerTo } from './stub-answer.ts';

/** The server as it is built, since tsx adds a call to every function it loads: what is measured is what runs. */
const built = (module: string) => import(`${ROOT}dist/server/${module}.js`);
const { readConfig }: typeof import('../../server/config/config.ts') = await built('config/config');
const { createLog }: typeof import('../../server/config/log.ts') = await built('config/log');
const { startServer }: typeof import('../../server/start.ts') = await built('start');

/** The real server with its limits, headers and log; only the brand answers without searching. */
const log = createLog();
const brand = { ...(await exampleBrand()), ask: async (query: string) => answerTo(query) };
const { url } = await startServer({
  config: readConfig({
    PORT: '0',
    BASE_URL: 'http://127.0.0.1',
    LIMIT_DEFAULT: '9999999/1',
    TRUSTED_PROXIES: '127.0.0.1/32',
  }),
  brand,
  log,
  outbox: {
    deliver: async () => ({ outcome: 'not-kept' }),
    isReplay: async () => false,
    database: openedWhenAsked('sqlite', () => Promise.reject(new Error('none'))),
  },
});
log('info', 'listening', { url });
