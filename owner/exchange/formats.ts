import { extname } from 'node:path';
import { MAX_PROFILE_BYTES } from '../../brand/profile/profile.ts';
import { separatorFor } from './columns.ts';
import { readCsv, writeCsv } from './csv.ts';
import { ExchangeError, type Exported, type Imported } from './imported.ts';
import { readMarkdown, writeMarkdown } from './markdown.ts';
import { readXlsxFile, writeXlsxFile } from './xlsx.ts';
import { readYaml, writeYaml } from './yaml.ts';

interface Format {
  readonly read: (bytes: Uint8Array) => Imported | Promise<Imported>;
  readonly write: (parts: Exported) => string | Promise<Uint8Array>;
}

/** What claims may come in and go out as, by the ending of the file's name. */
export const FORMATS: Readonly<Record<string, Format>> = {
  '.csv': { read: readCsv, write: parts => writeCsv(parts, separatorFor(parts.language)) },
  '.tsv': { read: readCsv, write: parts => writeCsv(parts, '\t') },
  '.xlsx': { read: readXlsxFile, write: writeXlsxFile },
  '.md': { read: readMarkdown, write: writeMarkdown },
  '.yaml': { read: readYaml, write: writeYaml },
  '.yml': { read: readYaml, write: writeYaml },
};

/** More than any list of claims; it is refused before it is read. */
export const MAX_IMPORT_BYTES = MAX_PROFILE_BYTES;

/** @throws ExchangeError for an ending that is not known, with those that are */
export function formatOf(file: string): Format {
  const format = FORMATS[extname(file).toLowerCase()];
  if (format) return format;
  throw new ExchangeError(`${file}: the ending must be one of ${Object.keys(FORMATS).join(', ')}`);
}
