import { loadProfile } from '../../brand/profile/profile.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { counted } from '../../tools/words/counts.ts';
import type { Config } from '../config/config.ts';
import { createLog } from '../config/log.ts';
import * as archive from '../outbox/archive.ts';
import { modeOf, openSubmissions, serverMailer } from '../outbox/open-submissions.ts';
import type { Outbox, RetryResult } from '../outbox/outbox.ts';
import type { Stored } from '../outbox/stored-submission.ts';
import { configWithDatabase, note, unknown } from './outbox.ts';

/** `aval outbox retry NAME` or `--all-pending`. 1 when a mail could still not be sent. */
export async function retry(name: string | undefined, output: Output): Promise<ExitCode> {
  const config = await configWithDatabase();
  const outbox = await openForCommand(config);
  try {
    const { database } = outbox;
    const found = name === undefined ? await archive.pending(database) : [(await archive.find(database, name))?.record];
    if (name !== undefined && !found[0]) return unknown(name, output.stderr);
    const records = found.filter(record => record !== undefined);
    return await retryEach(outbox, records, config, output);
  } finally {
    await outbox.close();
  }
}

async function retryEach(
  outbox: Outbox,
  records: readonly Stored[],
  config: Config,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const lines: Line[] = [];
  for (const { id, reference, mode } of records) {
    const isMailDown = lines.some(({ isMailDown }) => isMailDown);
    const line = await retryOne(mode === modeOf(config), isMailDown, () => outbox.retry(id));
    await note(outbox.database, 'retry', reference);
    lines.push(line);
    writeLines(stdout, [`${reference}  ${line.result}${line.code === undefined ? '' : ` (${line.code})`}`]);
  }
  if (lines.some(({ result }) => result === 'refused')) writeLines(stderr, [otherMode(config)]);
  const failed = lines.filter(({ result }) => result !== 'delivered' && result !== 'finished').length;
  writeLines(stderr, [`${counted(records.length, 'submission')}, ${failed} not delivered`]);
  return failed === 0 ? 0 : 1;
}

interface Line {
  readonly result: RetryResult['result'] | 'refused';
  readonly code?: string;
  readonly isMailDown?: boolean;
}

async function retryOne(isOurs: boolean, isMailDown: boolean, act: () => Promise<Line>): Promise<Line> {
  if (!isOurs) return { result: 'refused', code: 'taken in another mode' };
  return isMailDown ? { result: 'kept', code: 'mail is down' } : act();
}

/** Which setting would let the refused ones go. */
const otherMode = ({ production }: Config) =>
  production
    ? 'Taken in a dry run, they are no mail for the team. To write them to files: the same command without NODE_ENV=production.'
    : 'Taken in production, they are never written to files. Set NODE_ENV=production and the mail settings of the server ' +
      '(MAIL_FROM, MAIL_TO, and SMTP_URL or MAILGUN_API_KEY with MAILGUN_DOMAIN), then run the command again.';

async function openForCommand(config: Config): Promise<Outbox> {
  const mailer = serverMailer(config);
  // Mails are in the words of the profile; one that cannot be read keeps none of them back.
  const { profile } = await loadProfile(config.brandFile).catch(() => ({ profile: undefined }));
  return openSubmissions(config, {
    mailer,
    mode: modeOf(config),
    profile: () => profile,
    log: createLog(),
    background: false,
  });
}
