import { performance } from 'node:perf_hooks';
import { TOOLS } from '../../tools/index.ts';
import { readConfig } from '../config.ts';
import { loadBrand } from '../load-brand.ts';
import { createLog } from '../log.ts';
import { createMethods } from '../mcp/methods.ts';
import { createRateLimiter } from '../rate-limiter.ts';
import { serveStdio } from '../stdio.ts';

/** `aval stdio`: the same tools over standard input and output; everything but the protocol goes to stderr. */
export async function stdio(environment: NodeJS.ProcessEnv): Promise<void> {
  const log = createLog();
  const config = readConfig(environment);
  const brand = await loadBrand(config, log);
  await serveStdio({
    input: process.stdin,
    write: line => process.stdout.write(line),
    methods: createMethods(TOOLS, config.policies),
    context: () => ({ brand }),
    limiter: createRateLimiter({ policies: config.policies, now: () => performance.now() }),
    limitsUrl: `${config.baseUrl ?? `http://${config.host}:${config.port}`}/mcp`,
  });
}
