import { isSpanish } from '../brand/profile/finding-words.ts';
import { foldedText } from '../brand/profile/folded-text.ts';

/** What a sheet gets wrong, in each language. `{}` stands for a value, in their order. */
const SHEET_FAULTS = {
  not_utf8: {
    en: 'is not UTF-8: save it as "CSV UTF-8"',
    es: 'no está en UTF-8: guárdalo como «CSV UTF-8»',
  },
  no_table: {
    en: 'row {} has a quotation mark out of place: put the whole text between double quotes, and write each quote inside it twice',
    es: 'la fila {} tiene una comilla fuera de sitio: pon todo el texto entre comillas dobles, y escribe dos veces cada comilla de dentro',
  },
  no_headings: {
    en: 'the first row has none of the headings: write at least "statement", "applies to" and "does not apply to"; aval export writes a sheet to start from',
    es: 'la primera fila no tiene ningún encabezado conocido: escribe al menos «afirmación», «se aplica a» y «no se aplica a»; aval export escribe una hoja para empezar',
  },
  same_heading: {
    en: 'the columns "{}" and "{}" mean the same: keep one',
    es: 'las columnas «{}» y «{}» son la misma: deja una',
  },
  spreadsheet_error: {
    en: 'holds the error {} of the spreadsheet: mend the formula',
    es: 'tiene el error {} de la hoja de cálculo: corrige la fórmula',
  },
  formula: {
    en: 'holds a formula: write its result, or put an apostrophe before the =',
    es: 'tiene una fórmula: escribe su resultado, o pon un apóstrofo delante del =',
  },
  two_figures: {
    en: 'may be {} or {}: write {} or {}',
    es: 'puede ser {} o {}: escribe {} o {}',
  },
  long_cell: { en: 'has more than {} characters: shorten it', es: 'tiene más de {} caracteres: acórtalo' },
  no_number: { en: 'is no number', es: 'no es un número' },
  many_cells: {
    en: 'has more cells than the first row: put texts with the separator between double quotes',
    es: 'tiene más celdas que la primera fila: pon entre comillas dobles los textos con el separador',
  },
} as const;

export interface SheetFault {
  readonly code: keyof typeof SHEET_FAULTS;
  readonly values: readonly string[];
}

/** A fault of a sheet in the language of the profile. */
export function sheetWords({ code, values }: SheetFault, language: string): string {
  let next = 0;
  return SHEET_FAULTS[code][isSpanish(language) ? 'es' : 'en'].replaceAll('{}', () => values[next++] ?? '');
}

/** A sheet that cannot be read at all. The message is in English; `fault` is worded in any language. */
export class SheetError extends Error {
  override readonly name = 'SheetError';
  readonly fault: SheetFault;
  constructor(code: SheetFault['code'], values: readonly string[] = [], options?: ErrorOptions) {
    super(sheetWords({ code, values }, 'en'), options);
    this.fault = { code, values };
  }
}

/** Lower-case words without accents and signs: "No se aplica a:" and "no_se_aplica_a" are one heading. */
export function plain(text: string): string {
  return (foldedText(text).match(/[a-z0-9]+/g) ?? []).join(' ');
}
