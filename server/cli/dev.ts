import { listen } from 'listhen';
import { readConfig } from '../config/config.ts';
import { createLog } from '../config/log.ts';
import { createServer } from '../library/create-server.ts';

/**
 * `npm run dev`: the same app behind listhen, restarted when a file changes. Not for production: listhen has
 * no time-outs and prints to stdout.
 */
const { port, host: hostname } = readConfig(process.env);
const settings = { BASE_URL: `http://${hostname}:${port}`, ...process.env };
const { handler } = await createServer(settings, { log: createLog({ format: 'text' }) });
await listen((request, response) => handler(request, response), {
  port,
  hostname,
  isProd: true,
  showURL: true,
});
