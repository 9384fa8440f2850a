import { isSpanish } from '../brand/profile/finding-words.ts';
import { counted } from '../tools/words/counts.ts';

const ENGLISH = {
  fault: 'fault',
  warning: 'warning',
  row: (row: number) => `row ${row}`,
  unknown: (heading: string, near?: string) =>
    `the column "${heading}" is passed over: its heading is not known${near ? `; did you mean "${near}"?` : ''}`,
  windows: 'is not UTF-8 and was read as a CSV of Windows: look whether its accents are right',
  claims: (count: number) => counted(count, 'claim'),
  proofs: (count: number) => counted(count, 'proof'),
  faults: (count: number) => counted(count, 'fault'),
  more: (count: number) => `… and ${count} more`,
  counts: (added: number, changed: number, same: number) => `${added} new, ${changed} changed, ${same} as before`,
  old: (count: number, command: string) => `${counted(count, 'warning')} on what did not change: ${command}`,
  named: (count: number, command: string) =>
    `${counted(count, 'id')} made from the words; to change the words later, work on in a file that has the ids: ${command}`,
  absent: (ids: string) => `Kept, though the file does not have them: ${ids} (--replace drops them)`,
  dryRun: 'Nothing was written (--dry-run).',
  mend: (file: string) => `Nothing was written. Mend the faults in ${file} and import it again.`,
  same: 'Nothing changed, so nothing was written.',
  next: (check: string, sign: string) => `The profile is not signed now. Next: ${check}, then ${sign}`,
};

const numbered = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

const SPANISH: typeof ENGLISH = {
  fault: 'error',
  warning: 'aviso',
  row: row => `fila ${row}`,
  unknown: (heading, near) =>
    `la columna «${heading}» no cuenta: su encabezado no se conoce${near ? `; ¿querías decir «${near}»?` : ''}`,
  windows: 'no está en UTF-8 y se ha leído como CSV de Windows: mira si sus acentos están bien',
  claims: count => numbered(count, 'afirmación', 'afirmaciones'),
  proofs: count => numbered(count, 'prueba'),
  faults: count => numbered(count, 'error', 'errores'),
  more: count => `… y ${count} más`,
  counts: (added, changed, same) => `nuevas: ${added}, cambiadas: ${changed}, como antes: ${same}`,
  old: (count, command) => `${numbered(count, 'aviso')} sobre lo que no ha cambiado: ${command}`,
  named: (count, command) =>
    `${numbered(count, 'id hecho', 'ids hechos')} con las palabras; para cambiar las palabras más tarde, trabaja en un archivo que tenga los ids: ${command}`,
  absent: ids => `El archivo no las tiene y se conservan: ${ids} (--replace las quita)`,
  dryRun: 'No se ha escrito nada (--dry-run).',
  mend: file => `No se ha escrito nada. Corrige los errores en ${file} e impórtalo otra vez.`,
  same: 'Nada ha cambiado, así que no se ha escrito nada.',
  next: (check, sign) => `El perfil ya no está firmado. Después: ${check}, y luego ${sign}`,
};

/** What `aval import` says, in the language of the profile. */
export const importWords = (language: string): typeof ENGLISH => (isSpanish(language) ? SPANISH : ENGLISH);
