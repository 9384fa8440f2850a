import { stringify } from 'csv-stringify/sync';
import { escapeInvisible, escapeInvisibleJson } from '../../brand/profile/visible.ts';
import { type ExitCode, writeLines } from '../../owner/output.ts';
import { formFields } from '../../tools/fields.ts';
import { es } from '../../tools/words/es.ts';
import * as archive from '../outbox/archive.ts';
import { recipientOf } from '../outbox/store.ts';
import type { Stored } from '../outbox/stored-submission.ts';
import { nameUnreadable, note, shown, withDatabase } from './outbox.ts';

/** Columns of the CSV: what is known of a submission, then what the forms ask for. */
const COLUMNS = [
  'reference',
  'id',
  'kind',
  'channel',
  'mode',
  'language',
  'state',
  'suspect',
  'received',
  'delivered',
  'confirmation',
  'confirmation_note',
  'abandoned_by',
  'erased',
  'request',
  ...Object.keys(formFields(es)),
  'context',
];

/**
 * `aval outbox export`: submissions with their fields, page by page, beside whoever writes. 1 when one person
 * is asked for who sent none.
 * @param email only what one person sent, in any spelling of the mailbox
 */
export function exportAll(options: { format: 'json' | 'csv'; email?: string }): Promise<ExitCode> {
  const { format, email } = options;
  const { stdout, stderr } = process;
  return withDatabase({}, async database => {
    const nowMs = Date.now();
    const recipient = email === undefined ? undefined : recipientOf(email);
    await note(database, 'export', recipient ?? 'all');
    const { head, row, end } = FORMATS[format];
    stdout.write(head);
    let count = 0;
    for await (const record of archive.all(database, recipient)) {
      stdout.write(row({ ...shown(record, nowMs), fields: record.fields }, count));
      nameUnreadable([record]);
      count += 1;
    }
    stdout.write(end);
    if (recipient === undefined || count > 0) return 0;
    writeLines(stderr, ['nothing is kept of this mailbox']);
    return 1;
  });
}

type Row = Readonly<Record<string, unknown>> & { readonly fields: Stored['fields'] };

const FORMATS = {
  json: {
    head: '[',
    row: (record: Row, before: number) =>
      `${before === 0 ? '\n' : ',\n'}${escapeInvisibleJson(JSON.stringify(record))}`,
    end: '\n]\n',
  },
  csv: {
    head: csvOf(COLUMNS),
    row: ({ fields, ...record }: Row) =>
      csvOf(COLUMNS.map(column => String(record[column] ?? fields?.[column] ?? ''))),
    end: '',
  },
};

/**
 * RFC 4180, every cell quoted. An apostrophe stands before what a spreadsheet would take for a formula: at
 * the beginning of a cell, and behind what spreadsheets of other languages split at.
 */
function csvOf(row: readonly string[]): string {
  const cells = row.map(cell => escapeInvisible(cell).replace(/(^|[;"\t\n])(?=[=+\-@\t＝＋－＠])/g, "$1'"));
  return stringify([cells], { quoted: true, record_delimiter: 'windows' });
}
