import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';

interface OwnCommand {
  /** From this folder. */
  readonly here: string;
  /** From any folder, with the settings of an .env file in that folder. */
  readonly withSettings: (file: string) => string;
}

interface Started {
  /** The script, as `process.argv[1]` has it. */
  readonly script?: string | undefined;
  /** Options of node, as `process.execArgv` has them. */
  readonly nodeOptions?: readonly string[];
  readonly cwd?: string;
}

/** How this program was started, so that it can print commands that work as typed: `aval`, `npx aval` or `node … cli.js`. */
export function ownCommand(started: Started = {}): OwnCommand {
  const { script = process.argv[1] ?? 'aval', nodeOptions = process.execArgv, cwd = process.cwd() } = started;
  const options = nodeOptions.map(option => (option === 'tsx' ? import.meta.resolve(option) : option));
  const node = (...words: string[]) => ['node', ...options, ...words].map(quoted).join(' ');
  const full = resolve(cwd, script);
  return {
    here: nameOf(full, cwd) ?? node(relative(cwd, full)),
    // The program itself: npm's link may be one in a cache, and on Windows it is a script of the shell.
    withSettings: file =>
      isPassing(full)
        ? `${node(`--env-file=${file}`)} "$(command -v aval)"`
        : node(`--env-file=${file}`, realpathSync(full)),
  };
}

/** npx keeps a package that is not installed in its cache for a while; in a checkout it only links it from there. */
function isPassing(script: string): boolean {
  const target = existsSync(script) ? realpathSync(script) : script;
  return NPX_CACHE.test(target);
}

const NPX_CACHE = /[\\/]_npx[\\/]/;

/** A link that npm made for the program. Outside its project `npx aval` would run a stranger's package of that name. */
function nameOf(script: string, cwd: string): string | undefined {
  if (basename(script) !== 'aval') return undefined;
  if (NPX_CACHE.test(script)) return isPassing(script) ? 'aval' : 'npx aval';
  const [, project] = /^(.*)[\\/]node_modules[\\/]\.bin$/.exec(dirname(script)) ?? [];
  if (project === undefined) return 'aval';
  return relative(project, cwd).split(/[\\/]/)[0] === '..' ? quoted(script) : 'npx aval';
}

/** One word of a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
