import { createHash } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import { codeOf } from '../../brand/profile/thrown.ts';
import { writeOwnFile } from '../files.ts';
import { applyEdit, type Conflict, type Edit, EditError, type Json } from './document.ts';

/** Steps that can be taken back. */
const KEPT = 200;

/** What edits did. */
export interface Edited {
  /** What the file said before, and what it says after. */
  readonly before: Version;
  readonly after: Version;
  /** Edits of what others had changed meanwhile: theirs stays. */
  readonly conflicts: readonly Conflict[];
}

/** What the file said at one time. */
export interface Version {
  readonly document: Json;
  /** Digest of its bytes. */
  readonly version: string;
}

/** The profile in its file: what it says, and changes that are saved one after the other. */
export interface ProfileFile {
  readonly path: string;
  /** What was last read or saved. */
  readonly now: () => Version;
  readonly canUndo: () => boolean;
  /** Applies changes to what the file says at that moment, and saves it. @throws EditError, JsonError, or an error of the file system */
  edit(edits: readonly Edit[]): Promise<Edited>;
  /** Takes the last edits of any page back, where nobody changed the same since. */
  undo(): Promise<Edited>;
  /** Reads the file anew. */
  refresh(): Promise<Version>;
}

/** @throws JsonError for a file that is no JSON: what cannot be read is not edited, and stays as it is */
export async function openProfileFile(path: string): Promise<ProfileFile> {
  let saved = await readVersion(path);
  const past: (readonly Edit[])[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  /** One after the other in this process, and under a lock for others. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(() => locked(path, work));
    turn = done.catch(() => {});
    return done;
  };
  const save = async (edits: readonly Edit[]): Promise<Edited & { readonly undo: readonly Edit[] }> => {
    for (;;) {
      const before = await readVersion(path, saved);
      saved = before;
      const { document, undo, conflicts } = applied(before.document, edits);
      if (document === before.document) return { before, after: before, conflicts, undo };
      const text = strictText(document);
      // An editor knows no lock: what it wrote a moment ago is read first.
      const still = async () => digestOf(await readFile(path)) === before.version;
      if (!(await writeOwnFile(path, text, { aside: `.${basename(path)}.tmp`, still }))) continue;
      saved = { document, version: digestOf(Buffer.from(text)) };
      return { before, after: saved, conflicts, undo };
    }
  };
  return {
    path,
    now: () => saved,
    canUndo: () => past.length > 0,
    edit: edits =>
      inTurn(async () => {
        const { undo, ...edited } = await save(edits);
        if (undo.length > 0) past.push(undo);
        if (past.length > KEPT) past.shift();
        return edited;
      }),
    undo: () =>
      inTurn(async () => {
        const { undo: _, ...edited } = await save(past.at(-1) ?? []);
        past.pop();
        return edited;
      }),
    refresh: () =>
      inTurn(async () => {
        saved = await readVersion(path, saved);
        return saved;
      }),
  };
}

/** Edits one after the other; what takes them back comes last first. */
function applied(document: Json, edits: readonly Edit[]) {
  const conflicts: Conflict[] = [];
  const undo: Edit[] = [];
  const made = edits.reduce<Json>((before, edit) => {
    const done = applyEdit(before, edit);
    if (done.conflict) conflicts.push(done.conflict);
    if (done.undo) undo.unshift(done.undo);
    return done.document;
  }, document);
  return { document: made, undo, conflicts };
}

/** The text of the file. @throws EditError for what the reader of profiles would refuse */
function strictText(document: Json): string {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  readStrictJson(Buffer.from(text), error => {
    const found = error.faults[0]?.found;
    return found ? new EditError(found.code, ...found.values) : error;
  });
  return text;
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

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
