import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../../brand/profile/thrown.ts';
import type { Brand } from '../../brand/retrieval/brand.ts';
import { ServiceError } from '../../tools/errors.ts';
import { toolsOf } from '../../tools/index.ts';
import { introduce } from '../../tools/introduction.ts';
import { type Config, readConfig } from '../config/config.ts';
import { createLog, logFault } from '../config/log.ts';
import { unknownSettings } from '../config/settings.ts';
import { createAdmissions } from '../limits/admission.ts';
import { createMinuteLimiter } from '../limits/minute-limiter.ts';
import { createServerFor } from '../mcp/server.ts';
import { serveStdio } from '../mcp/stdio.ts';
import { databaseFile, openedWhenAsked } from '../outbox/database.ts';
import { mailRouteOf, openSubmissions } from '../outbox/open-submissions.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { untilExpiry } from '../run/expiry.ts';
import { loadBrand, readBrandFile } from '../run/load-brand.ts';
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
  let outbox: Outbox | undefined;
  /** Called with the first submission: most sessions only ask questions. */
  const openOutbox = ({ profile }: Brand): Outbox => {
    outbox ??= openSubmissions(config, {
      database: openedWhenAsked(config),
      mode,
      mailer,
      log,
      profile: () => profile,
    });
    return outbox;
  };
  const input = process.stdin.pipe(new PassThrough());
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => input.end());
  const serving = serveStdio({
    input,
    output: process.stdout,
    serverFor: reading
      .catch(() => undefined)
      .then(published => {
        // The model is not loaded yet: only the bundled one is calibrated.
        const calibrated = config.embedding.model === undefined;
        const introduction = introduce(published && { ...published, calibrated }, mode);
        return createServerFor(toolsOf(published?.profile, introduction), introduction);
      }),
    async context(idempotencyKey) {
      const brand = await loading;
      return {
        brand,
        mode,
        now: () => new Date(),
        deliver: submission => openOutbox(brand).deliver(submission),
        origin: { channel: 'stdio', clientHash: 'stdio', idempotencyKey },
      };
    },
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
    // An earlier session may have left submissions unsent.
    const takenUp = brandOrNothing.then(brand => brand && hasDatabase(config) && openOutbox(brand));
    await Promise.all([takenUp, serving]);
  } finally {
    process.stdin.destroy();
    await outbox?.sendDue(LAST_SENDS_MS);
    await outbox?.close();
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

const hasDatabase = ({ databaseUrl, dataDirectory }: Config): boolean =>
  databaseUrl !== undefined || existsSync(databaseFile(dataDirectory));

/** How long the end of a session waits for confirmations, which are sent after the answer. */
const LAST_SENDS_MS = 5000;

/** Delay of the load, which blocks the thread, so that messages that already wait are answered first. */
const HEAD_START_MS = 20;
