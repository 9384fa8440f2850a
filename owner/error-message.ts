import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandWords } from './command-words.ts';
import { ownCommand, quoted } from './own-command.ts';
import { SaidError } from './said-error.ts';

/** What a command or the studio ends with: the words of an error of ours; for one of the file system, the file and the next step. */
export function messageOf(error: unknown, language?: string): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SaidError && language !== undefined) return error.saidIn(language);
  const { code, path, message }: NodeJS.ErrnoException = error;
  const { say } = commandWords(language ?? 'en');
  if (code === 'EISDIR') return say('is_folder');
  if (code === 'ENOSPC') return say('disk_full');
  if (path === undefined) return message;
  if (code === 'EACCES') return say('not_ours', path);
  return code === 'ENOENT' ? missing(path, say) : message;
}

/** With the command that writes a file of this name, where there is one. */
function missing(path: string, say: ReturnType<typeof commandWords>['say']): string {
  const folder = dirname(path);
  if (!existsSync(folder)) return say('no_folder', folder);
  if (!path.endsWith('.json')) return say('no_file', path);
  const command = path.endsWith('.key.json') ? `sign --new-key ${quoted(path)}` : 'init';
  return say('no_file_yet', path, `${ownCommand().here} ${command}`);
}
