import { createHash } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import { codeOf } from '../../brand/profile/thrown.ts';
import { writeOwnFile } from '../files.ts';
import { applyEdit, type Conflict, type Edit, type Json, merge } from './document.ts';

/** Steps that can be taken back. */
const KEPT = 200;

/** What an edit did. */
export interface Edited {
  /** Where the file had been changed elsewhere and both changed one member: theirs stays. */
  readonly conflicts: readonly Conflict[];
  /** The file had been changed elsewhere, so more may be new than what was edited. */
  readonly merged: boolean;
}

/** The profile in its file: what it says, and changes that are saved one after the other. */
export interface ProfileFile {
  readonly path: string;
  /** The document as it was last read or saved. */
  readonly document: () => Json;
  /** Digest of the bytes that it was read from or saved as. */
  readonly version: () => string;
  readonly canUndo: () => boolean;
  /** Applies changes to what the file holds now, and saves it. @throws EditError, JsonError, or an error of the file system */
  edit(edits: readonly Edit[]): Promise<Edited>;
  undo(): Promise<Edited>;
  /** Reads the file anew where somebody else changed it; whether it did. */
  refresh(): Promise<boolean>;
}

/** @throws JsonError for a file that is no JSON: what cannot be read is not edited, and stays as it is */
export async function openProfileFile(path: string): Promise<ProfileFile> {
  let saved = await readVersion(path);
  const past: Json[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  /** One after the other in this process, and under a lock for others. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(() => locked(path, work));
    turn = done.catch(() => {});
    return done;
  };
  const save = (next: (document: Json) => Json) =>
    inTurn(async () => {
      const found = await readVersion(path, saved);
      const base = saved.document;
      const mine = next(base);
      const elsewhere = found !== saved;
      const { value, conflicts } = elsewhere
        ? merge({ base, mine, theirs: found.document })
        : { value: mine, conflicts: [] };
      const text = `${JSON.stringify(value, null, 2)}\n`;
      await writeOwnFile(path, text, `.${basename(path)}.tmp`);
      saved = { document: value, version: digestOf(Buffer.from(text)) };
      return { conflicts, merged: elsewhere };
    });
  return {
    path,
    document: () => saved.document,
    version: () => saved.version,
    canUndo: () => past.length > 0,
    async edit(edits) {
      const before = saved.document;
      const done = await save(document => edits.reduce(applyEdit, document));
      past.push(before);
      if (past.length > KEPT) past.shift();
      return done;
    },
    async undo() {
      const before = past.pop();
      return before === undefined ? { conflicts: [], merged: false } : save(() => before);
    },
    refresh: () =>
      inTurn(async () => {
        const found = await readVersion(path, saved);
        if (found === saved) return false;
        saved = found;
        return true;
      }),
  };
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Version {
  readonly document: Json;
  readonly version: string;
}

/** What the file says; the known version itself where its bytes are still those. */
async function readVersion(path: string, known?: Version): Promise<Version> {
  const bytes = await readFile(path);
  const version = digestOf(bytes);
  return version === known?.version ? known : { document: readStrictJson(bytes), version };
}

/** A save takes milliseconds; a lock of this age is left over from a process that ended in it, perhaps on another machine. */
const STALE_MS = 10_000;

const HOLDER = `${hostname()} ${process.pid}`;

/** Whether the process that made a lock has ended: told at once on this machine, by the age of the lock elsewhere. */
async function isLeftOver(lock: string): Promise<boolean> {
  const [host, pid] = (await readFile(lock, 'utf8').catch(() => '')).split(' ');
  if (host === hostname() && Number(pid) > 0) {
    try {
      process.kill(Number(pid), 0);
    } catch (error) {
      if (codeOf(error) === 'ESRCH') return true;
    }
  }
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > STALE_MS;
}

/** Does something while no other studio saves the same file. */
async function locked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lock = join(dirname(path), `.${basename(path)}.lock`);
  for (;;) {
    try {
      await writeFile(lock, HOLDER, { flag: 'wx' });
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (await isLeftOver(lock)) await rm(lock, { force: true });
      else await setTimeout(20);
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}
