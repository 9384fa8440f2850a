import { unzipSync } from 'fflate';
import readXlsx from 'read-excel-file/node';
import writeXlsx from 'write-excel-file/node';
import { COLUMNS, headingsIn } from './columns.ts';
import { ExchangeError, type Exported, type Imported } from './imported.ts';
import { readSheets, type Sheet, writeRows } from './rows.ts';

/** A sheet of 20,000 claims is about 40 MB of XML; a bomb is a thousand times that. */
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;

/** Reads every sheet of a workbook. @throws ExchangeError for what is none, is too large unpacked, or has merged cells */
export async function readXlsxFile(bytes: Uint8Array): Promise<Imported> {
  refuseHostile(bytes);
  const sheets = await readXlsx(Buffer.from(bytes), { trim: false }).catch(error => {
    throw new ExchangeError(`is no workbook that can be read: ${error instanceof Error ? error.message : error}`);
  });
  return readSheets(
    sheets.map(
      ({ sheet, data: [headings = [], ...rows] }): Sheet => ({
        name: sheets.length > 1 ? sheet : '',
        headings: headings.map(cellOf),
        rows: rows.map((cells, at) => ({ cells: cells.map(cellOf), place: `row ${at + 2}` })),
      }),
    ),
  );
}

/** The types of the package say `typeof Date` where it gives dates. */
function cellOf(cell: unknown): Sheet['headings'][number] {
  if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' || cell instanceof Date)
    return cell;
  return null;
}

function refuseHostile(bytes: Uint8Array): void {
  let unpacked = 0;
  try {
    const sheets = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        unpacked += originalSize;
        if (unpacked > MAX_UNPACKED_BYTES)
          throw new ExchangeError(
            `holds more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB unpacked: it is no list of claims`,
          );
        return /\.xml$/i.test(name);
      },
    });
    for (const sheet of Object.values(sheets)) {
      const xml = new TextDecoder().decode(sheet);
      refuseMerged(xml);
      refuseFarCells(xml);
    }
  } catch (error) {
    if (error instanceof ExchangeError) throw error;
    throw new ExchangeError('is no .xlsx workbook: save it as "Excel workbook (.xlsx)", or as CSV UTF-8', {
      cause: error,
    });
  }
}

/** Far more than a list of claims has. Every cell between the first and the last costs memory, whether it is there or not. */
const [MOST_ROWS, MOST_COLUMNS] = [50_000, 256];

/** @throws ExchangeError for a cell that is far away, or whose address is none: 1.5 KB of file would become 4 GB of memory */
function refuseFarCells(xml: string): void {
  if (!/<(?:\w{1,20}:)?sheetData\b/.test(xml)) return;
  for (const [, double, single] of xml.matchAll(/\sr\s{0,10}=\s{0,10}(?:"([^"]*)"|'([^']*)')/g)) {
    const address = double ?? single ?? '';
    const [, letters = '', row = ''] = /^([A-Z]{0,2})(\d{1,6})$/.exec(address) ?? [];
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    if (row !== '' && Number(row) <= MOST_ROWS && column <= MOST_COLUMNS) continue;
    throw new ExchangeError(
      `has a cell ${address.slice(0, 20)}: delete what stands beyond row ${MOST_ROWS} or column ${MOST_COLUMNS}`,
    );
  }
}

/** Of merged cells only the first has a value: the others would be claims with a hole. */
function refuseMerged(xml: string): void {
  const [, cells] = /<mergeCell [^>]*ref="([A-Z0-9:]+)"/.exec(xml) ?? [];
  if (cells !== undefined) throw new ExchangeError(`has merged cells (${cells}): unmerge them, and fill each cell`);
}

/** Two sheets, Claims and Proofs; every cell is text, so that no program turns it into a date. */
export function writeXlsxFile({ claims, proofs, language }: Exported): Promise<Uint8Array> {
  const sheet = (name: string, part: 'claim' | 'proof', parts: readonly object[]) => ({
    sheet: name,
    data: [
      headingsIn(language).map(heading => ({ value: heading, fontWeight: 'bold' as const })),
      ...writeRows(parts, part).map(textCells),
    ].map(row => row.filter((_, at) => COLUMNS[at]?.part === part)),
    columns: COLUMNS.filter(column => column.part === part).map(() => ({ width: 30 })),
    stickyRowsCount: 1,
  });
  const names = /^es\b/i.test(language) ? (['Afirmaciones', 'Pruebas'] as const) : (['Claims', 'Proofs'] as const);
  return writeXlsx([sheet(names[0], 'claim', claims), sheet(names[1], 'proof', proofs)]).toBuffer();
}

const textCells = (row: readonly string[]) =>
  row.map(cell => (cell === '' ? null : { value: escaped(cell), type: String }));

/**
 * `_x0041_` in a workbook is an A (ECMA-376, ST_Xstring): its own underscore is escaped the same way, and so is the first letter of
 * "constructor" and its like, which write-excel-file 4.1.1 looks up in an object that inherits them.
 */
function escaped(text: string): string {
  const inherited = text in {} ? `_x${text.charCodeAt(0).toString(16).padStart(4, '0')}_${text.slice(1)}` : undefined;
  return inherited ?? text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
}
