import { createHash, randomBytes } from 'node:crypto';
import { writeCell } from './cell.ts';
import { COLUMNS, type Column, isSpanish, plain, valueAt } from './columns.ts';

/** Hex digits of an export's number and of each cell's digest: 24 bits, so two texts look alike once in 16 million. */
const WIDTH = 6;

const HEADING = { en: 'export mark (do not edit)', es: 'marca de exportación (no tocar)' };

/** The heading of the last column: import reads it, and nobody writes it. */
export const markHeading = (language: string): string => (isSpanish(language) ? HEADING.es : HEADING.en);

/** Whether a heading, in plain words, is that of the mark. */
export const isMarkHeading = (heading: string): boolean =>
  Object.values(HEADING).some(words => plain(words) === heading) || heading === 'export mark';

/** A number for one export: two sheets of the same profile are two editors. */
export const newExport = (): string => randomBytes(WIDTH / 2).toString('hex');

/** What a row says when it goes out: the export's number, and a digest for each cell. A letter first keeps spreadsheets from reading a number. */
export function markOf(members: object, part: Column['part'], exported: string): string {
  return `m${exported}${columnsOf(part)
    .map(column => digestOf(cellOf(members, column)))
    .join('')}`;
}

export interface ExportMark {
  /** The number of the export. */
  readonly exported: string;
  /** What each cell said then, as a digest. */
  readonly digests: ReadonlyMap<Column, string>;
}

/** Reads a mark back; undefined for one that is damaged, or of the other part. */
export function readMark(text: string | undefined, part: Column['part']): ExportMark | undefined {
  const columns = columnsOf(part);
  const [, exported, digests] = /^m([0-9a-f]{6})([0-9a-f]+)$/.exec(text ?? '') ?? [];
  if (exported === undefined || digests?.length !== columns.length * WIDTH) return undefined;
  return {
    exported,
    digests: new Map(columns.map((column, at) => [column, digests.slice(at * WIDTH, (at + 1) * WIDTH)])),
  };
}

/** The text of a part's cell. */
export const cellOf = (members: object, { path }: Column): string => writeCell(valueAt(members, path));

export const digestOf = (cell: string): string => createHash('sha256').update(cell).digest('hex').slice(0, WIDTH);

const columnsOf = (part: Column['part']) => COLUMNS.filter(column => column.part === part);
