import { listen } from 'listhen';
import { readConfig } from '../config/config.ts';
import { createLog } from '../config/log.ts';
import { Server } from '../run/server.ts';

/**
 * `npm run dev`: the same app behind listhen, restarted when a file changes. Not for production: listhen has
 * no time-outs and prints to stdout.
 */
const config = readConfig(process.env);
const { port, host: hostname } = config;
const server = new Server(config, createLog({ format: 'text' }));
await server.open();
const { handler } = await server.mount(`http://${hostname}:${port}`);
await listen((request, response) => handler(request, response), {
  port,
  hostname,
  isProd: true,
  showURL: true,
});
