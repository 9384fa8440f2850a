import { homedir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { isCalibrated } from '../../brand/embedding/retrieval-model.ts';
import type { ServedProfile } from '../../brand/trust/served-profile.ts';
import type { Deliver } from '../../tools/deliver.ts';
import { TOOLS } from '../../tools/index.ts';
import { createPresentation } from '../../tools/presentation.ts';
import { SERVICE } from '../../tools/service.ts';
import { readBrandFile } from '../brand/read-brand-file.ts';
import { type Config, misspelled, readConfig } from '../config/config.ts';
import { createLog, type Log } from '../config/log.ts';
import { logFault } from '../http/fault-log.ts';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import { createMethods } from '../mcp/methods.ts';
import { serveStdio } from '../mcp/stdio.ts';
import type { Outbox } from '../submissions/outbox.ts';

/**
 * `aval stdio`: the same tools over standard input and output; everything but the protocol goes to stderr.
 * It answers before the model is loaded: hosts start their servers one after the other and wait for each.
 */
export async function stdio(environment: NodeJS.ProcessEnv): Promise<void> {
  const log = createLog();
  const config = readConfig({ ...environment, DATA_DIR: environment.DATA_DIR || ownDirectory() });
  for (const warning of misspelled(environment)) log('warn', 'configuration', { warning });
  const reading = readBrandFile(config);
  const loading = setTimeout(HEAD_START_MS).then(() => load(config, log, reading));
  const outbox = lazyOutbox(config, log, async () => (await loading)?.name ?? SERVICE.title);
  const { mailgun, smtpUrl } = config.mail;
  const mode = mailgun || smtpUrl !== undefined ? undefined : 'dry-run';
  const calibrated = isCalibrated(config.embedding.model);
  const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`;
  const serving = serveStdio({
    input: process.stdin,
    write: line => process.stdout.write(line),
    methods: reading
      .catch(() => undefined)
      .then(profile =>
        createMethods(
          TOOLS,
          createPresentation(profile && { ...profile, calibrated }, { baseUrl, policies: config.policies, mode }),
        ),
      ),
    context: async () => ({
      brand: await loading,
      mode,
      deliver: (kind, fields) => outbox.deliver({ kind, fields, channel: 'stdio', clientHash: 'stdio' }),
    }),
    limiter: createRateLimiter({ policies: config.policies, now: () => performance.now() }),
    limitsUrl: `${baseUrl}/llms.txt`,
    report: fault => void logFault(log, 'stdio', fault),
  });
  try {
    await Promise.all([loading, serving]);
  } finally {
    process.stdin.destroy();
    await outbox.close();
  }
}

/** A host starts this command in a directory of its own choice, often one that cannot be written to. */
function ownDirectory(): string | undefined {
  try {
    return join(homedir(), '.aval', 'stdio');
  } catch {
    return undefined; // A user without a home, as containers have.
  }
}

/** Loading occupies the thread: what already waits on standard input is answered before. */
const HEAD_START_MS = 20;

async function load(config: Config, log: Log, reading: Promise<ServedProfile>) {
  const { loadBrandIfPossible } = await import('../brand/load-brand.ts');
  return loadBrandIfPossible(config, log, reading);
}

/** Opened by the first submission: several hosts may run this command, and only one process may hold the journal. */
function lazyOutbox(
  config: Config,
  log: Log,
  brandName: () => Promise<string>,
): { deliver: Deliver; close(): Promise<void> } {
  let opening: Promise<Outbox> | undefined;
  const open = async () => {
    const { configuredMailer, fileMailer, openSubmissions } = await import('../submissions/submissions.ts');
    const mailer = (await configuredMailer(config.mail)) ?? (await fileMailer(config));
    return openSubmissions(config, { mailer, brandName: await brandName(), log });
  };
  return {
    async deliver(submission) {
      opening ??= open();
      try {
        return (await opening).deliver(submission);
      } catch (error) {
        opening = undefined;
        log('error', 'submission', { fault: error instanceof Error ? error.message : String(error) });
        return { outcome: 'not-kept' };
      }
    },
    close: async () => (await opening)?.close(),
  };
}
