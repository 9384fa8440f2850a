import { loadProfile } from '../../brand/profile/profile.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { counted } from '../../tools/words/counts.ts';
import type { Config } from '../config/config.ts';
import { createLog } from '../config/log.ts';
import * as archive from '../outbox/archive.ts';
import { modeOf, openSubmissions, serverMailer } from '../outbox/open-submissions.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Stored } from '../outbox/stored-submission.ts';
import { note, unknown, withDatabase } from './outbox.ts';

/** `aval outbox retry NAME` or `--all-pending`. 1 when a mail could still not be sent. */
export function retry(name: string | undefined, output: Output): Promise<ExitCode> {
  return withDatabase(output, async (database, config) => {
    const named = name === undefined ? undefined : await archive.find(database, name);
    if (name !== undefined && !named) return unknown(name, output);
    const records = named ? [named.record] : await archive.pending(database);
    // Mails are in the words of the profile; one that cannot be read keeps none of them back.
    const { profile } = await loadProfile(config.brandFile).catch(() => ({ profile: undefined }));
    const parts = { mailer: serverMailer(config), mode: modeOf(config), log: createLog(), background: false, database };
    return retryEach(openSubmissions(config, { ...parts, profile: () => profile }), records, config, output);
  });
}

async function retryEach(
  outbox: Outbox,
  records: readonly Stored[],
  config: Config,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  let [failed, refused, isMailDown] = [0, 0, false];
  for (const { id, reference, mode } of records) {
    const isOurs = mode === modeOf(config);
    const kept = isOurs
      ? { result: 'kept', code: 'mail is down' }
      : { result: 'refused', code: 'taken in another mode' };
    const told = isOurs && !isMailDown ? await outbox.retry(id) : kept;
    if ('isMailDown' in told) isMailDown ||= told.isMailDown === true;
    if (!isOurs) refused += 1;
    if (told.result !== 'delivered' && told.result !== 'finished') failed += 1;
    await note(outbox.database, 'retry', reference);
    writeLines(stdout, [`${reference}  ${told.result}${told.code === undefined ? '' : ` (${told.code})`}`]);
  }
  if (refused > 0) writeLines(stderr, [otherMode(config)]);
  writeLines(stderr, [`${counted(records.length, 'submission')}, ${failed} not delivered`]);
  return failed === 0 ? 0 : 1;
}

/** Which setting would let the refused ones go. */
const otherMode = ({ production }: Config) =>
  production
    ? 'Taken in a dry run, they are no mail for the team. To write them to files: the same command without NODE_ENV=production.'
    : 'Taken in production, they are never written to files. Set NODE_ENV=production and the mail settings of the server ' +
      '(MAIL_FROM, MAIL_TO, and SMTP_URL or MAILGUN_API_KEY with MAILGUN_DOMAIN), then run the command again.';
