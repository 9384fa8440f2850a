import { stringify } from 'csv-stringify/sync';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { formFields } from '../../tools/fields.ts';
import { es } from '../../tools/words/es.ts';
import { visible } from '../mail/text.ts';
import * as archive from '../outbox/archive.ts';
import { recipientOf } from '../outbox/repeats.ts';
import type { Stored } from '../outbox/stored-submission.ts';
import { note, shown, withDatabase } from './outbox.ts';

/** Columns of the CSV: what is known of a submission, then what the forms ask for. */
const COLUMNS = [
  ...['reference', 'id', 'kind', 'channel', 'mode', 'language', 'state', 'suspect', 'received', 'delivered'],
  ...['confirmation', 'confirmation_note', 'abandoned_by', 'erased', 'request'],
  ...[...Object.keys(formFields(es)), 'context'],
];

interface ExportOptions {
  readonly format: 'json' | 'csv';
  /** Only what one person sent, in any spelling of the mailbox. */
  readonly email?: string;
}

/**
 * `aval outbox export`: submissions with their fields, page by page, beside whoever writes. 1 when one person is asked for
 * who sent none.
 */
export function exportAll({ format, email }: ExportOptions, output: Output): Promise<ExitCode> {
  const { stdout, stderr } = output;
  return withDatabase(output, async database => {
    const nowMs = Date.now();
    const recipient = email === undefined ? undefined : recipientOf(email);
    await note(database, 'export', recipient ?? 'all');
    let count = 0;
    if (format === 'csv') stdout.write(csvOf([COLUMNS]));
    else stdout.write('[');
    let separator = '\n';
    for await (const record of archive.all(database, recipient)) {
      count += 1;
      stdout.write(format === 'csv' ? csvOf([rowOf(record, nowMs)]) : `${separator}${jsonOf(record, nowMs)}`);
      separator = ',\n';
    }
    if (format === 'json') stdout.write('\n]\n');
    if (recipient === undefined || count > 0) return 0;
    writeLines(stderr, ['nothing is kept of this mailbox']);
    return 1;
  });
}

const jsonOf = (record: Stored, nowMs: number) => JSON.stringify({ ...shown(record, nowMs), fields: record.fields });

function rowOf(record: Stored, nowMs: number): string[] {
  const values: Readonly<Record<string, unknown>> = { ...record.fields, ...shown(record, nowMs) };
  return COLUMNS.map(column => String(values[column] ?? ''));
}

/**
 * RFC 4180, every cell quoted. An apostrophe stands before what a spreadsheet would take for a formula: at the beginning of a
 * cell, and behind what spreadsheets of other languages split at.
 */
const csvOf = (rows: string[][]) =>
  stringify(
    rows.map(row => row.map(cell => visible(cell).replace(/(^|[;"\t\n])(?=[=+\-@\t＝＋－＠])/g, "$1'"))),
    { quoted: true, record_delimiter: 'windows' },
  );
