import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isSpanish, wordsOfFinding } from '../brand/profile/finding-words.ts';
import { EditError } from './member.ts';
import { ownCommand, quoted } from './own-command.ts';
import { DocumentError } from './own-document.ts';

/** What a command or the studio ends with: the words of an error of ours; for one of the file system, the file and the next step. */
export function messageOf(error: unknown, language?: string): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof EditError) return wordsOfFinding(error.found, language ?? 'en').message;
  if (error instanceof DocumentError) return language === undefined ? error.message : error.saidIn(language);
  const { code = '', path, message }: NodeJS.ErrnoException = error;
  return FILE_FAULTS[code]?.(path)?.[isSpanish(language ?? 'en') ? 1 : 0] ?? message;
}

type Words = readonly [english: string, spanish: string];

const FILE_FAULTS: Readonly<Record<string, (path: string | undefined) => Words | undefined>> = {
  EISDIR: () => [
    'a folder was named where a file is read: name the file in it',
    'se ha dado una carpeta donde se lee un archivo: di el archivo que está dentro',
  ],
  ENOENT: path => (path === undefined ? undefined : missing(path)),
  EACCES: path =>
    path === undefined
      ? undefined
      : [
          `${path} is not for this user: change its owner or its mode, or run this as who owns it`,
          `${path} no es de este usuario: cambia su dueño o sus permisos, o ejecuta esto como quien lo tiene`,
        ],
  ENOSPC: () => ['the disk is full: make room on it', 'el disco está lleno: haz sitio'],
};

/** With the command that writes a file of this name, where there is one. */
function missing(path: string): Words {
  const folder = dirname(path);
  if (!existsSync(folder))
    return [`there is no folder ${folder}: make it first`, `no existe la carpeta ${folder}: créala antes`];
  const command = path.endsWith('.key.json') ? `sign --new-key ${quoted(path)}` : 'init';
  const maker = path.endsWith('.json') ? `${ownCommand().here} ${command}` : undefined;
  return [
    `there is no file ${path}: name yours${maker ? `, or make one with ${maker}` : ''}`,
    `no existe el archivo ${path}: di cuál es el tuyo${maker ? `, o haz uno con ${maker}` : ''}`,
  ];
}
