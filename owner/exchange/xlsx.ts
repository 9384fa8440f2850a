import { unzipSync, zipSync } from 'fflate';
import readXlsx from 'read-excel-file/node';
import writeXlsx from 'write-excel-file/node';
import { COLUMNS, type Column, choicesOf, headingsIn, isSpanish } from './columns.ts';
import { markHeading } from './export-mark.ts';
import { ExchangeError, type Exported, type Imported } from './imported.ts';
import { markedRows, readSheets, type Sheet } from './rows.ts';

/** A sheet of 20,000 claims is about 40 MB of XML; a bomb is a thousand times that. */
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;

/** Reads every sheet of a workbook. @throws ExchangeError for what is none, is too large unpacked, or has merged cells */
export async function readXlsxFile(bytes: Uint8Array): Promise<Imported> {
  return readSheets(await sheetsOf(bytes));
}

/** The sheets of a workbook, as they look: a cell that shows 71 % is 71. @throws ExchangeError */
export async function sheetsOf(bytes: Uint8Array): Promise<Sheet[]> {
  const { parts, checked } = refuseHostile(bytes);
  const percentages = percentagesIn(parts);
  const sheets = await readXlsx(checked, { trim: false }).catch(error => {
    throw new ExchangeError(`is no workbook that can be read: ${error instanceof Error ? error.message : error}`);
  });
  return sheets.map(({ sheet, data: [headings = [], ...rows] }, number): Sheet => {
    const isPercentage = (row: number, column: number) => percentages[number]?.has(`${row}:${column}`) === true;
    const shown = (cell: unknown, row: number, column: number) =>
      typeof cell === 'number' && isPercentage(row, column) ? Number((cell * 100).toPrecision(12)) : cellOf(cell);
    return {
      name: sheets.length > 1 ? sheet : '',
      headings: headings.map(cellOf),
      rows: rows.map((cells, at) => ({
        cells: cells.map((cell, column) => shown(cell, at + 2, column + 1)),
        place: `row ${at + 2}`,
      })),
    };
  });
}

/** The types of the package say `typeof Date` where it gives dates. */
function cellOf(cell: unknown): Sheet['headings'][number] {
  if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean' || cell instanceof Date)
    return cell;
  return null;
}

/** The parts of a workbook as XML, by name, and a workbook of these alone: a streaming reader finds others. @throws ExchangeError */
function refuseHostile(bytes: Uint8Array): { parts: ReadonlyMap<string, string>; checked: Buffer } {
  let unpacked = 0;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        unpacked += originalSize;
        if (unpacked > MAX_UNPACKED_BYTES)
          throw new ExchangeError(
            `holds more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MB unpacked: it is no list of claims`,
          );
        return /\.(xml|rels)$/i.test(name);
      },
    });
    const parts = Object.entries(files).map(([name, part]) => [name, new TextDecoder().decode(part)] as const);
    for (const [, xml] of parts) {
      refuseMerged(xml);
      refuseFarCells(xml);
    }
    return { parts: new Map(parts), checked: Buffer.from(zipSync(files, { level: 0 })) };
  } catch (error) {
    if (error instanceof ExchangeError) throw error;
    throw new ExchangeError('is no .xlsx workbook: save it as "Excel workbook (.xlsx)", or as CSV UTF-8', {
      cause: error,
    });
  }
}

/** For each sheet the cells that are formatted as a percentage, as `row:column` (ECMA-376, 18.8.30: 9, 10 and own formats). */
function percentagesIn(parts: ReadonlyMap<string, string>): ReadonlySet<string>[] {
  const styles = parts.get('xl/styles.xml') ?? '';
  const own = [...styles.matchAll(/<numFmt [^>]{0,400}>/g)].flatMap(([tag]) => {
    const [, id] = /numFmtId="(\d+)"/.exec(tag) ?? [];
    const [, code = ''] = /formatCode="([^"]*)"/.exec(tag) ?? [];
    return id !== undefined && code.replace(/\\.|&quot;.*?&quot;/g, '').includes('%') ? [id] : [];
  });
  const formats = new Set(['9', '10', ...own]);
  const [, cellFormats = ''] = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(styles) ?? [];
  const isPercent = [...cellFormats.matchAll(/<xf\b([^>]{0,400})>/g)].map(([, attributes = '']) =>
    formats.has(/numFmtId="(\d+)"/.exec(attributes)?.[1] ?? ''),
  );
  const sheets = [...parts].flatMap(([name, xml]) => {
    const [, number] = /^xl\/worksheets\/sheet(\d+)\.xml$/.exec(name) ?? [];
    return number === undefined ? [] : [{ number: Number(number), xml }];
  });
  return sheets
    .toSorted((a, b) => a.number - b.number)
    .map(({ xml }) => {
      const cells = [...xml.matchAll(/<c r="([A-Z]{1,2})(\d{1,6})"[^>]{0,100}? s="(\d+)"/g)];
      return new Set(
        cells.flatMap(([, letters = '', row, style]) =>
          isPercent[Number(style)] ? [`${row}:${columnNumber(letters)}`] : [],
        ),
      );
    });
}

const columnNumber = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Far more than a list of claims has. Every cell between the first and the last costs memory, whether it is there or not. */
const [MOST_ROWS, MOST_COLUMNS] = [50_000, 256];

/** @throws ExchangeError for a cell that is far away, or whose address is none: 1.5 KB of file would become 4 GB of memory */
function refuseFarCells(xml: string): void {
  if (!xml.includes('sheetData')) return;
  for (const [, double, single] of xml.matchAll(/\sr\s{0,10}=\s{0,10}(?:"([^"]*)"|'([^']*)')/g)) {
    const address = double ?? single ?? '';
    const [, letters = '', row = ''] = /^([A-Z]{0,2})(\d{1,6})$/.exec(address) ?? [];
    const column = columnNumber(letters);
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

/**
 * Two sheets, Claims and Proofs; every cell is text, so that no program turns it into a date. Cells that take one of few words offer
 * them, and the mark of the export is in a hidden column.
 */
export function writeXlsxFile(parts: Exported): Promise<Uint8Array> {
  const { language } = parts;
  const rows = markedRows(parts);
  const sheet = (name: string, part: Column['part']) => ({
    sheet: name,
    data: [
      [...headingsIn(language), markHeading(language)].map(value => ({ value, fontWeight: 'bold' as const })),
      ...rows[part].map(textCells),
    ].map(row => row.filter((_, at) => at === COLUMNS.length || COLUMNS[at]?.part === part)),
    columns: [...columnsOf(part), undefined].map(() => ({ width: 30 })),
    stickyRowsCount: 1,
  });
  const names = isSpanish(language) ? (['Afirmaciones', 'Pruebas'] as const) : (['Claims', 'Proofs'] as const);
  const sheets = [sheet(names[0], 'claim'), sheet(names[1], 'proof')];
  return writeXlsx(sheets, { features: [choicesAndMark(language)] }).toBuffer();
}

const columnsOf = (part: Column['part']) => COLUMNS.filter(column => column.part === part);

type Feature = NonNullable<NonNullable<Parameters<typeof writeXlsx>[1]>['features']>[number];

/** write-excel-file has neither lists to choose from nor hidden columns: its features add both (ECMA-376, 18.3.1.32 and 18.3.1.13). */
function choicesAndMark(language: string): Feature {
  const columns = (index: number) => columnsOf(index === 0 ? 'claim' : 'proof');
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform: (xml, _options, { sheetIndex }) =>
            xml.replace('</sheetData>', `</sheetData>${choices(columns(sheetIndex), language)}`),
          transformElementAttributes: (tag, attributes, index, _options, { sheetIndex }) =>
            tag === 'col' && index === columns(sheetIndex).length ? { ...attributes, hidden: 1 } : attributes,
        },
      },
    },
  };
}

/** A list of words below each heading that takes one of them; other words stay possible, since old sheets have them. */
function choices(columns: readonly Column[], language: string): string {
  const lists = columns.flatMap((column, at) => {
    const words = choicesOf(column, language);
    if (words.length === 0) return [];
    const letter = String.fromCharCode(65 + at);
    const range = `${letter}2:${letter}${MOST_ROWS}`;
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" errorStyle="warning" sqref="${range}"><formula1>"${words.join(',')}"</formula1></dataValidation>`;
  });
  return lists.length === 0 ? '' : `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`;
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
