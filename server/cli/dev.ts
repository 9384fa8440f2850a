import { listen } from 'listhen';
import { readConfig } from '../config/config.ts';
import { createLog } from '../config/log.ts';
import { run } from '../run/run.ts';
import { createService } from '../run/service.ts';

/**
 * `npm run dev`: the same app behind listhen, started anew when a file changes. For development alone: listhen has no
 * time-outs, and prints to standard output.
 */
const config = readConfig(process.env);
const { port, host: hostname } = config;
const { server } = await run(config, createLog({ format: 'text' }), async parts => {
  const { close, ...service } = await createService(parts, `http://${hostname}:${port}`);
  return { ...service, stop: close };
});
await listen((request, response) => server.handler(request, response), {
  ...{ port, hostname },
  isProd: true,
  showURL: true,
});
