import { once } from 'node:events';
import { basename } from 'node:path';
import { type EmbeddingSettings, loadModel } from '../../brand/retrieval/model.ts';
import { keysBeside, readKeySet } from '../../brand/trust/keys.ts';
import { verifySignatures } from '../../brand/trust/signature.ts';
import { countAsked } from '../../owner/asked.ts';
import { commandWords } from '../../owner/command-words.ts';
import { languageIn } from '../../owner/draft.ts';
import { exists, readIfThere } from '../../owner/files.ts';
import { keyBeside } from '../../owner/key-files.ts';
import { neverPublishBeside } from '../../owner/never-publish.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { questionsBeside } from '../../owner/questions.ts';
import { sign } from '../../owner/sign.ts';
import { createDesk } from '../../owner/studio/desk.ts';
import { openProfileFile } from '../../owner/studio/profile-file.ts';
import { type Studio, startStudio } from '../../owner/studio/studio-server.ts';
import type { AskedQuestion } from '../../tools/deliver.ts';

export interface StudioOptions {
  /** The private key; default: brand.key.json beside brand.json. */
  readonly key?: string;
  readonly embedding: EmbeddingSettings;
  /** The questions kept since a moment; absent where none are. */
  readonly readAsked?: (sinceMs: number) => Promise<readonly AskedQuestion[]>;
  readonly now?: () => Date;
}

/** `aval studio FILE`: the desk in the browser of this machine, until the command is interrupted. @throws Error for a file that cannot be had */
export async function studio(
  file: string,
  options: StudioOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { url, close, language } = await openStudio(file, options, message => writeLines(stderr, [message]));
  writeLines(stdout, [url]);
  writeLines(stderr, [commandWords(language).say('open_studio')]);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await close();
  return 0;
}

/** The studio of a profile, with its files where `aval init` puts them. */
export async function openStudio(
  file: string,
  options: StudioOptions,
  note: (message: string) => void,
): Promise<Studio & { readonly language: string }> {
  const { embedding, now = () => new Date(), readAsked = async () => [] } = options;
  const key = options.key ?? keyBeside(file);
  const profile = await openProfileFile(file);
  const silent = { stdout: { write: () => true }, stderr: { write: () => true } };
  const desk = createDesk({
    file: profile,
    model: await loadModel(embedding),
    neverPublish: await neverPublishBeside(file),
    questions: questionsBeside(file),
    signing: {
      key: basename(key),
      there: () => exists(key),
      isSigned: document => isVerified(document, keysBeside(file)),
      async sign(renew) {
        await sign(file, { keys: [key], yes: true, now: now(), ...(renew && { renew: '1y' }) }, silent);
      },
    },
    async asked() {
      const kept = await readAsked(now().getTime() - SHOWN_DAYS * DAY_MS).catch(() => []);
      return countAsked(kept).slice(0, MOST_SHOWN);
    },
    now,
  });
  const language = languageIn(profile.now().document);
  return { ...(await startStudio({ desk, language, note })), language };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days of questions that the studio shows, as `aval asked` does without an option. */
const SHOWN_DAYS = 30;
const MOST_SHOWN = 50;

async function isVerified(document: unknown, jwks: string): Promise<boolean> {
  const keys = await readIfThere(jwks);
  if (keys === undefined || typeof document !== 'object' || document === null || !('signatures' in document))
    return false;
  const checks = await verifySignatures(document, await readKeySet(keys));
  return checks.some(({ outcome }) => outcome === 'verified');
}
