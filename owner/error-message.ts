import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ownCommand, quoted } from './own-command.ts';

/** What a command ends with: the words of an error of ours; for one of the file system, the file and the next step. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', path, message }: NodeJS.ErrnoException = error;
  if (code === 'EISDIR') return 'a folder was named where a file is read: name the file in it';
  return (path === undefined ? undefined : FILE_FAULTS[code]?.(path)) ?? message;
}

const FILE_FAULTS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: missing,
  EACCES: path => `${path} is not for this user: change its owner or its mode, or run this as who owns it`,
};

/** With the command that writes a file of this name, where there is one. */
function missing(path: string): string {
  const folder = dirname(path);
  if (!existsSync(folder)) return `there is no folder ${folder}: make it first`;
  const command = path.endsWith('.key.json') ? `sign --new-key ${quoted(path)}` : 'init';
  const maker = path.endsWith('.json') ? `, or make one with ${ownCommand().here} ${command}` : '';
  return `there is no file ${path}: name yours${maker}`;
}
