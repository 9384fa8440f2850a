import { createHash } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import { codeOf } from '../../brand/profile/thrown.ts';
import { readOwnFile, writeOwnFile } from '../files.ts';
import type { Json } from '../member.ts';
import { readDocument } from '../own-document.ts';
import { EditError } from '../said-error.ts';
import { applyEdit, type Conflict, type Edit } from './document.ts';

/** What the file said at one time. */
export interface Version {
  readonly document: Json;
  /** Digest of its bytes. */
  readonly version: string;
}

/** What edits did: the file before and after them, and those of what others had changed meanwhile: theirs stays. */
export interface Edited {
  readonly before: Version;
  readonly after: Version;
  readonly conflicts: readonly Conflict[];
}

/** The profile in its file. */
export interface ProfileFile {
  /** What was last read or saved. */
  readonly now: () => Version;
  /** Applies changes to what the file says at that moment, and saves it. @throws EditError, DocumentError, or an error of the file system */
  edit(edits: readonly Edit[]): Promise<Edited>;
  /** Reads the file anew. */
  refresh(): Promise<Version>;
}

/** @throws DocumentError for a file that is no JSON: what cannot be read is not edited, and stays as it is */
export async function openProfileFile(path: string): Promise<ProfileFile> {
  let saved = await readVersion(path);
  const turns = createTurns();
  /** One after the other in this process, and under a lock for others. */
  const inTurn = <Result>(work: () => Promise<Result>) => turns(() => locked(path, work));
  const save = async (edits: readonly Edit[]): Promise<Edited> => {
    for (;;) {
      const before = await readVersion(path, saved);
      saved = before;
      const conflicts: Conflict[] = [];
      const document = edits.reduce<Json>((said, edit) => {
        const { document, conflict } = applyEdit(said, edit);
        if (conflict) conflicts.push(conflict);
        return document;
      }, before.document);
      if (document === before.document) return { before, after: before, conflicts };
      const text = strictText(document);
      // An editor knows no lock: what it wrote a moment ago is read first.
      const still = async () => digestOf(await readOwnFile(path)) === before.version;
      if (!(await writeOwnFile(path, text, { aside: `.${basename(path)}.tmp`, still }))) continue;
      saved = { document, version: digestOf(Buffer.from(text)) };
      return { before, after: saved, conflicts };
    }
  };
  return {
    now: () => saved,
    edit: edits => inTurn(() => save(edits)),
    refresh: () =>
      inTurn(async () => {
        saved = await readVersion(path, saved);
        return saved;
      }),
  };
}

/** Does one thing after the other. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
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
  const bytes = await readOwnFile(path);
  const version = digestOf(bytes);
  return version === known?.version ? known : { document: readDocument(bytes, path).document, version };
}

/** A save takes milliseconds; a lock of this age is left over, perhaps from another machine. */
const STALE_MS = 10_000;

/** Does something while no other studio saves the same file. */
async function locked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const lock = join(dirname(path), `.${basename(path)}.lock`);
  const isFree = () =>
    writeFile(lock, `${process.pid} ${hostname()}`, { flag: 'wx' }).then(
      () => true,
      error => {
        if (codeOf(error) !== 'EEXIST') throw error;
      },
    );
  while (!(await isFree())) {
    if (await isLeftOver(lock)) await rm(lock, { force: true });
    else await setTimeout(20);
  }
  return await work().finally(() => rm(lock, { force: true }));
}

/** Whether the process that made a lock has ended, where it ran on this machine, or the lock is old. */
async function isLeftOver(lock: string): Promise<boolean> {
  const [holder, host] = (await readFile(lock, 'utf8').catch(() => '')).split(' ');
  try {
    if (Number(holder) > 0 && host === hostname()) process.kill(Number(holder), 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return true;
  }
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > STALE_MS;
}
