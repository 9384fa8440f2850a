import { stringify } from 'csv-stringify/sync';
import type { ExitCode, Output } from '../../../owner/terminal/output.ts';
import * as archive from '../../outbox/store/archive.ts';
import type { Stored } from '../../outbox/store/stored-submission.ts';
import { shown, withDatabase } from './outbox.ts';

/** Columns of the CSV: what is known of a submission, then what the forms ask for. */
const COLUMNS = [
  ...['reference', 'id', 'kind', 'channel', 'mode', 'language', 'state', 'suspect', 'received', 'delivered'],
  ...['confirmation', 'confirmation_note', 'abandoned_by', 'erased'],
  ...['name', 'email', 'company', 'role', 'size', 'level', 'country', 'context'],
];

/** `aval outbox export`: every submission with its fields, page by page, beside whoever writes. */
export function exportAll({ format }: { readonly format: 'json' | 'csv' }, { stdout }: Output): Promise<ExitCode> {
  return withDatabase(async database => {
    const nowMs = Date.now();
    if (format === 'csv') stdout.write(csvOf([COLUMNS]));
    else stdout.write('[');
    let separator = '\n';
    for await (const record of archive.all(database)) {
      stdout.write(format === 'csv' ? csvOf([rowOf(record, nowMs)]) : `${separator}${jsonOf(record, nowMs)}`);
      separator = ',\n';
    }
    if (format === 'json') stdout.write('\n]\n');
    return 0;
  });
}

const jsonOf = (record: Stored, nowMs: number) => JSON.stringify({ ...shown(record, nowMs), fields: record.fields });

function rowOf(record: Stored, nowMs: number): string[] {
  const values: Readonly<Record<string, unknown>> = { ...record.fields, ...shown(record, nowMs) };
  return COLUMNS.map(column => String(values[column] ?? ''));
}

/** RFC 4180; a cell that a spreadsheet would take for a formula begins with an apostrophe. */
const csvOf = (rows: string[][]) => stringify(rows, { escape_formulas: true, record_delimiter: 'windows' });
