import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { escapeInvisible } from '../brand/profile/visible.ts';

/** The outputs of a command. `process` is one. */
export interface Output {
  /** Results only: they may be piped. */
  readonly stdout: Writer;
  /** Notes for the person at the terminal. */
  readonly stderr: Writer;
}

interface Writer {
  write(text: string): unknown;
}

/** 0: done or yes. 1: no. 3: nothing to judge. An error that is thrown ends with 2. */
export type ExitCode = 0 | 1 | 3;

/** Writes lines. Strangers may have written parts of them, so control characters are escaped. */
export function writeLines(writer: Writer, lines: readonly string[]): void {
  if (lines.length > 0) writer.write(`${escapeInvisible(lines.join('\n'))}\n`);
}

export function writeJson(writer: Writer, value: unknown): void {
  writer.write(`${escapeInvisible(JSON.stringify(value, null, 2))}\n`);
}

/**
 * A command of this program to type, with `npx` if npx started this one.
 * @example commandLine('check', 'my brand.json'); // "aval check 'my brand.json'"
 */
export function commandLine(...words: readonly string[]): string {
  const isNpx = /[\\/](?:_npx|\.bin)[\\/]/.test(process.argv[1] ?? '');
  return [isNpx ? 'npx aval' : 'aval', ...words.map(quoted)].join(' ');
}

/** Quotes a word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The last line of a failed command: the message, or for a file system error the file and the next step. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path, message }: NodeJS.ErrnoException = error;
  if (code === 'EISDIR') return 'a folder was named where a file is read: name the file in it';
  if (code === 'ENOSPC') return 'the disk is full: make room on it';
  if (path === undefined) return message;
  if (code === 'EACCES')
    return `${path} is not for this user: change its owner or its mode, or run this as who owns it`;
  return code === 'ENOENT' ? missingFile(path) : message;
}

/** The message of a missing file, with the command that writes it if there is one. */
function missingFile(path: string): string {
  const folder = dirname(path);
  if (!existsSync(folder)) return `there is no folder ${folder}: make it first`;
  if (!path.endsWith('.json')) return `there is no file ${path}: name yours`;
  const command = path.endsWith('.key.json') ? commandLine('sign', '--new-key', path) : commandLine('init');
  return `there is no file ${path}: name yours, or make one with ${command}`;
}
