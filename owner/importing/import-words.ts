import { basename } from 'node:path';
import { counted } from '../../tools/language/counts.ts';
import type { Finding } from '../check/check-profile.ts';
import { COLUMNS, type Column, isSpanish } from '../exchange/columns.ts';
import type { Imported } from '../exchange/imported.ts';
import type { CellConflict } from '../merge/edited-twice.ts';
import type { Merged } from '../merge/merge.ts';
import { inSpanish } from '../studio/words/findings-es.ts';
import { ownCommand, quoted } from '../terminal/own-command.ts';

/** What `aval import` says, in the language of the sheet: Spanish for a Spanish profile, else English. */
export interface ImportWords {
  readonly fault: (fault: string) => string;
  readonly conflict: (conflict: CellConflict) => string;
  /** A finding with the row and the heading where it is mended. */
  readonly findings: (imported: Imported) => (kind: 'fault' | 'warning') => (finding: Finding) => string;
  readonly summary: (outcome: Outcome) => string[];
}

interface Outcome {
  readonly merged: Merged;
  readonly imported: Imported;
  readonly faults: number;
  /** Warnings of claims and proofs that this import did not touch. */
  readonly oldWarnings: number;
  readonly dryRun: boolean;
}

interface Importing {
  readonly file: string;
  readonly brand: string;
  readonly language: string;
}

export function importWords({ file, brand, language }: Importing): ImportWords {
  const spanish = isSpanish(language);
  const texts = spanish ? SPANISH : ENGLISH;
  const line = (kind: Kind, where: readonly unknown[], says: string) =>
    [basename(file), texts[kind], ...(where.length > 0 ? [where.filter(Boolean).join(', ')] : []), says].join(': ');
  const at = (place: string) =>
    spanish ? place.replace(/\brow (\d+)$/, 'fila $1').replace(/\bline (\d+)$/, 'línea $1') : place;
  const message = (text: string) => (spanish ? (inSpanish(text) ?? text) : text);
  return {
    fault: fault => line('fault', [], fault),
    conflict({ place, id, column, file: mine, profile }) {
      const values = [JSON.stringify(mine), JSON.stringify(profile)] as const;
      return line(
        'conflict',
        [at(place), id, column && headings([column])],
        column ? texts.both(...values) : texts.gone,
      );
    },
    findings({ claims, proofs }) {
      return kind =>
        ({ path, claim_id, message: text, fix }) => {
          const [, part, position = '', member = ''] = /^(claims|proofs)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
          const row = (part === 'claims' ? claims : proofs)[Number(position)]?.place;
          const label = headingOf(part === 'proofs' ? 'proof' : 'claim', member) ?? member;
          const help = text === 'is missing' ? texts.fill : fix && message(fix);
          const where = row === undefined ? [claim_id, path] : [at(row), claim_id, label];
          return line(kind, where, `${message(text)}${help ? ` (${help})` : ''}`);
        };
    },
    summary({ merged, imported, faults, oldWarnings, dryRun }) {
      const { added, changed, absent, named, kept, conflicts } = merged;
      const aval = ownCommand().here;
      const own = quoted(brand);
      const same = imported.claims.length - added - changed;
      const size = [texts.claims(imported.claims.length), `(${texts.counts(added, changed, same)}),`];
      const nothing = conflicts.length > 0 ? texts.conflicts(conflicts.length) : texts.mend(file);
      return [
        `${file}: ${size.join(' ')} ${texts.proofs(imported.proofs.length)}, ${texts.faults(faults)}`,
        ...(oldWarnings > 0 ? [texts.old(oldWarnings, `${aval} check ${own}`)] : []),
        ...(kept > 0 ? [texts.kept(kept, brand)] : []),
        ...(named > 0 ? [texts.named(named, `${aval} export ${spanish ? 'NUEVO' : 'NEW'}.csv --brand ${own}`)] : []),
        ...(absent.length > 0 ? [texts.absent(absent.join(', '))] : []),
        dryRun
          ? texts.dryRun
          : faults + conflicts.length > 0
            ? nothing
            : texts.next(`${aval} check ${own}`, `${aval} sign ${own} --key KEY`),
      ];
    },
  };
}

type Kind = 'fault' | 'warning' | 'conflict';

function headingOf(part: Column['part'], member: string): string | undefined {
  const names = member.replace(/\[\d+\]/g, '').split('.');
  const inPart = COLUMNS.filter(column => column.part === part && column.path[0] === names[0]);
  const columns = inPart.filter(({ path }) => names.length === 1 || path.join('.') === names.join('.'));
  return columns.length === 0 ? undefined : headings(columns);
}

/** Both headings, since a sheet may have either. */
const headings = (columns: readonly Column[]) => columns.map(({ en, es }) => `"${en}" (${es})`).join(', ');

const ENGLISH = {
  fault: 'fault',
  warning: 'warning',
  conflict: 'conflict',
  fill: 'fill in the cell',
  both: (mine: string, theirs: string) => `here ${mine}, in the profile ${theirs}; both changed since the export`,
  gone: 'the profile had it at the export, and has it no longer',
  claims: (count: number) => counted(count, 'claim'),
  proofs: (count: number) => counted(count, 'proof'),
  faults: (count: number) => counted(count, 'fault'),
  counts: (added: number, changed: number, same: number) => `${added} new, ${changed} changed, ${same} as before`,
  old: (count: number, command: string) => `${counted(count, 'warning')} on what did not change: ${command}`,
  kept: (count: number, brand: string) => `${counted(count, 'cell')} changed in ${brand} since the export: kept`,
  named: (count: number, command: string) =>
    `${counted(count, 'id')} made from the words; to change the words later, work on in a file that has the ids: ${command}`,
  absent: (ids: string) => `Kept, though the file does not have them: ${ids} (--replace drops them)`,
  dryRun: 'Nothing was written (--dry-run).',
  conflicts: (count: number) =>
    `${counted(count, 'conflict')}. Nothing was written. Say whose values count: --on-conflict file or --on-conflict profile.`,
  mend: (file: string) => `Nothing was written. Mend the faults in ${file} and import it again.`,
  next: (check: string, sign: string) => `Next: ${check}, then ${sign}`,
};

const numbered = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

const SPANISH: typeof ENGLISH = {
  fault: 'error',
  warning: 'aviso',
  conflict: 'conflicto',
  fill: 'rellena la celda',
  both: (mine, theirs) => `aquí ${mine}, en el perfil ${theirs}; los dos han cambiado desde la exportación`,
  gone: 'el perfil la tenía al exportar y ya no la tiene',
  claims: count => numbered(count, 'afirmación', 'afirmaciones'),
  proofs: count => numbered(count, 'prueba'),
  faults: count => numbered(count, 'error', 'errores'),
  counts: (added, changed, same) => `nuevas: ${added}, cambiadas: ${changed}, como antes: ${same}`,
  old: (count, command) => `${numbered(count, 'aviso')} sobre lo que no ha cambiado: ${command}`,
  kept: (count, brand) =>
    `${numbered(count, 'celda cambiada', 'celdas cambiadas')} en ${brand} desde la exportación: se conserva lo que dice`,
  named: (count, command) =>
    `${numbered(count, 'id hecho', 'ids hechos')} con las palabras; para cambiar las palabras más tarde, trabaja en un archivo que tenga los ids: ${command}`,
  absent: ids => `El archivo no las tiene y se conservan: ${ids} (--replace las quita)`,
  dryRun: 'No se ha escrito nada (--dry-run).',
  conflicts: count =>
    `${numbered(count, 'conflicto')}. No se ha escrito nada. Di qué valores cuentan: --on-conflict file (el archivo) o --on-conflict profile (el perfil).`,
  mend: file => `No se ha escrito nada. Corrige los errores en ${file} e impórtalo otra vez.`,
  next: (check, sign) => `Después: ${check}, y luego ${sign}`,
};
