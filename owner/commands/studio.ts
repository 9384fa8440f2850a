import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readStrictJson } from '../../brand/profile/strict-json.ts';
import { type EmbeddingSettings, loadModel } from '../../brand/retrieval/load-embedder.ts';
import type { RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import { keysBeside, readKeySet } from '../../brand/trust/keys.ts';
import { verifySignatures } from '../../brand/trust/signature.ts';
import type { AskedQuestion } from '../../tools/language/asked-question.ts';
import { readDraft } from '../check/check-profile.ts';
import { neverPublishBeside } from '../check/never-publish.ts';
import { createReport } from '../measure/report.ts';
import { reportWords } from '../measure/report-words.ts';
import { sign, signedBeside } from '../signing/sign.ts';
import { createDesk } from '../studio/desk.ts';
import { openProfileFile } from '../studio/document/profile-file.ts';
import { type Studio, startStudio } from '../studio/studio-server.ts';
import { exists, readIfThere } from '../terminal/files.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';
import { questionsBeside, sourcesBeside } from './draft.ts';

type ReadAsked = (sinceMs: number) => Promise<readonly AskedQuestion[]>;

export interface StudioOptions {
  /** JSON lines; default: questions.jsonl beside the profile. */
  readonly questions?: string;
  /** The private key; default: brand.key.json beside brand.json. */
  readonly key?: string;
  readonly port: number;
  readonly embedding: EmbeddingSettings;
  /** The questions kept since a moment; absent where none are. */
  readonly readAsked?: ReadAsked;
  readonly now?: () => Date;
}

/** `aval studio FILE`: the desk in the browser of this machine, until the command is interrupted. @throws JsonError, or Error for a file or a port that cannot be had */
export async function studio(file: string, options: StudioOptions, { stdout, stderr }: Output): Promise<ExitCode> {
  const { url, close } = await openStudio(file, options, message => writeLines(stderr, [message]));
  writeLines(stdout, [url]);
  writeLines(stderr, ['Open it in a browser of this computer. Ctrl-C ends it; every change is in the file already.']);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await close();
  return 0;
}

/** The studio of a profile, with its files where `aval init` and `aval draft` put them. */
export async function openStudio(
  file: string,
  options: StudioOptions,
  note: (message: string) => void,
): Promise<Studio> {
  const { port, embedding, now = () => new Date(), readAsked = async () => [] } = options;
  const key = options.key ?? file.replace(/(\.json)?$/, '.key.json');
  const last = signedBeside(file);
  const isSigned = (document: unknown) => verified(document, keysBeside(file));
  const profile = await openProfileFile(file);
  if (await isSigned(profile.document())) await copyFile(file, last);
  const model = await loadModel(embedding);
  const desk = createDesk({
    file: profile,
    model,
    neverPublish: await neverPublishBeside(file),
    questions: options.questions ?? questionsBeside(file),
    sources: () => jsonOf(sourcesBeside(file)),
    signing: {
      key: basename(key),
      there: () => exists(key),
      isSigned,
      last: () => jsonOf(last),
      async sign(renew) {
        const silent = { write: () => true };
        await sign(
          file,
          { keys: [key], yes: true, now: now(), ...(renew && { renew: '1y' }) },
          { stdout: silent, stderr: silent },
        );
      },
    },
    asked: async () => askedGroups(profile.document(), model, now(), readAsked),
    now,
  });
  return startStudio({ desk, port, note });
}

/** Days of questions that the studio shows, as `aval report` does without an option. */
const SHOWN_DAYS = 30;

/** What deserves a look first: doubtful and weak groups, then the rest. None where no questions are kept. */
async function askedGroups(document: unknown, model: RetrievalModel, until: Date, read: ReadAsked) {
  const since = new Date(until.getTime() - SHOWN_DAYS * 86_400_000);
  const asked = await read(since.getTime()).catch(() => []);
  if (asked.length === 0) return [];
  const { claims, language } = readDraft(document);
  const words = reportWords(language);
  const { groups, weak, doubtful } = await createReport({
    asked,
    claims: claims.map(({ part }) => part),
    model,
    since,
    until,
  });
  const ordered = new Set([...doubtful, ...weak, ...groups]);
  return [...ordered].slice(0, 50).map(group => ({
    ...group,
    why: [...(weak.includes(group) ? [words.weak] : []), ...group.doubts.map(doubt => words.doubts[doubt])],
  }));
}

async function jsonOf(path: string): Promise<unknown> {
  const bytes = await readIfThere(path);
  return bytes && readStrictJson(bytes);
}

async function verified(document: unknown, jwks: string): Promise<boolean> {
  const keys = await readFile(jwks).catch(() => undefined);
  if (keys === undefined || typeof document !== 'object' || document === null || !('signatures' in document))
    return false;
  const checks = await verifySignatures(document, await readKeySet(keys));
  return checks.some(({ outcome }) => outcome === 'verified');
}
