import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../../brand/profile/thrown.ts';
import { ServiceError } from '../../tools/errors.ts';
import { toolsOf } from '../../tools/index.ts';
import { introduce } from '../../tools/introduction.ts';
import { type Config, readConfig } from '../config/config.ts';
import { createLog, logFault } from '../config/log.ts';
import { unknownSettings } from '../config/settings.ts';
import { once } from '../config/timing.ts';
import { createAdmissions } from '../limits/admission.ts';
import { createMinuteLimiter } from '../limits/minute-limiter.ts';
import { createServerFor } from '../mcp/server.ts';
import { serveStdio } from '../mcp/stdio.ts';
import { databaseFile, openedWhenAsked } from '../outbox/database.ts';
import { mailRouteOf } from '../outbox/open-submissions.ts';
import type { Outbox, OutboxOptions } from '../outbox/outbox.ts';
import { untilExpiry } from '../run/expiry.ts';
import { loadBrand, readBrandFile, type ServedBrand } from '../run/load-brand.ts';
import { chooseBrand } from './chosen-brand.ts';

/**
 * `aval stdio`: MCP over standard input and output; the log goes to stderr. It answers before the model is
 * loaded, because hosts start their servers one after the other and wait for each.
 */
export async function stdio(environment: NodeJS.ProcessEnv): Promise<void> {
  const log = createLog();
  const withDirectory = { ...environment, DATA_DIR: environment.DATA_DIR || defaultDirectory() };
  const chosen = await chooseBrand({ environment: withDirectory, isServer: true });
  const config = readConfig(chosen.environment);
  log('info', 'configuration', { message: chosen.notice });
  for (const warning of unknownSettings(environment)) log('warn', 'configuration', { warning });
  const now = () => new Date();
  const database = openedWhenAsked(config);
  const reading = readBrandFile(config);
  const loading = setTimeout(HEAD_START_MS)
    .then(() => loadBrand(config, log, { reading, keepsVectors: true }))
    .then(brand => untilExpiry(brand, Date.now))
    .catch(error => {
      throw unusableProfile(config.brandFile, error);
    });
  const brandOrNothing = loading.catch(({ message, hint }: ServiceError) => {
    log('error', 'brand', { fault: message, fix: hint });
    return undefined;
  });
  const { policies } = config;
  const { mode, mailer } = mailRouteOf(config, 'stdio');
  const submissions = lazySubmissions(config, brandOrNothing, { database, mode, mailer, log });
  const input = process.stdin.pipe(new PassThrough());
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => input.end());
  const serving = serveStdio({
    input,
    output: process.stdout,
    serverFor: reading
      .catch(() => undefined)
      .then(published => {
        const introduction = introduce(published, mode);
        return createServerFor(toolsOf(published?.profile, introduction), introduction);
      }),
    context: async idempotencyKey => ({
      brand: await loading,
      mode,
      now,
      deliver: async submission => (await submissions.open()).deliver(submission),
      origin: { channel: 'stdio', clientHash: 'stdio', idempotencyKey },
    }),
    admissionFor: createAdmissions({
      limiter: createMinuteLimiter({ policies, monotonicMs: () => performance.now() }),
      // No headers show what is left.
      readHourly: async () => [],
      // Without BASE_URL there is no page with the limits.
      limitsUrl: config.baseUrl === undefined ? 'docs/api.md of Aval' : `${config.baseUrl}/llms.txt`,
    }),
    report: fault => void logFault(log, { route: 'stdio' }, fault),
  });
  try {
    await Promise.all([brandOrNothing.then(brand => brand && submissions.takeUp()), serving]);
  } finally {
    process.stdin.destroy();
    await submissions.close();
  }
}

/**
 * The error of ask_brand while the profile cannot be used. Hosts show answers of tools but no log, so it
 * names the file and the fault; the machine is the reader's.
 */
function unusableProfile(file: string, error: unknown): ServiceError {
  const [first = '', ...faults] = messageOf(error).split('\n');
  return new ServiceError('not_configured', {
    message: [`BRAND_FILE (${file}) cannot be used: ${first}`, ...faults.slice(0, 3)].join('\n'),
    hint:
      'Do what the message says, set BRAND_FILE to a readable profile or mend this one: ' +
      `\`aval check ${file}\` lists its faults. Then restart this server.`,
    cause: error,
  });
}

/** DATA_DIR of stdio: hosts start it in a folder that often cannot be written. */
function defaultDirectory(): string | undefined {
  try {
    return join(homedir(), '.aval', 'stdio');
  } catch {
    return undefined; // A user without a home, as containers have.
  }
}

/** How long the end of a session waits for confirmations, which are sent after the answer. */
const LAST_SENDS_MS = 5000;

/** Delay of the load, which blocks the thread, so that messages that already wait are answered first. */
const HEAD_START_MS = 20;

/** Opens the outbox with the first submission: most sessions only ask questions. */
function lazySubmissions(
  config: Config,
  loading: Promise<ServedBrand | undefined>,
  parts: Pick<OutboxOptions, 'database' | 'mode' | 'mailer' | 'log'>,
) {
  let outbox: Outbox | undefined;
  const open = once(async () => {
    const { openSubmissions } = await import('../outbox/open-submissions.ts');
    const brand = await loading;
    outbox = openSubmissions(config, { ...parts, profile: () => brand?.profile });
    return outbox;
  });
  return {
    open,
    /** Sends submissions that an earlier session left unsent. */
    async takeUp(): Promise<void> {
      if (config.databaseUrl !== undefined || existsSync(databaseFile(config.dataDirectory))) await open();
    },
    async close() {
      await outbox?.sendDue(LAST_SENDS_MS);
      await outbox?.close();
      await parts.database.close();
    },
  };
}
