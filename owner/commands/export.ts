import { readFile } from 'node:fs/promises';
import { loadProfile } from '../../brand/profile/profile.ts';
import { keysBeside, readKeySet } from '../../brand/trust/keys.ts';
import { verifySignatures } from '../../brand/trust/signature.ts';
import { counted } from '../../tools/language/counts.ts';
import { staticClaimsPage } from '../exchange/claims-page.ts';
import { formatOf } from '../exchange/formats.ts';
import { readQuestionFile } from '../measure/question-file.ts';
import { createFile, READABLE } from '../terminal/files.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';
import { ownCommand, quoted } from '../terminal/own-command.ts';
import { questionsBeside } from './draft.ts';

interface ExportOptions {
  /** The profile whose claims go out. */
  readonly brand: string;
  /** A page of all claims for visitors, to put on any host. */
  readonly html?: string;
  /** Replaces a file that is there. */
  readonly force?: boolean;
}

/**
 * `aval export FILE`: the claims and proofs of a profile as a sheet or a text, which `aval import` reads again. `html`: the same as a
 * page with the signature.
 * @throws ProfileError for a profile with faults, ExchangeError for an ending that is not known, Error for a file that is there, and for
 * a page of what is not signed
 */
export async function exportClaims(
  file: string | undefined,
  { brand, html, force }: ExportOptions,
  { stderr }: Output,
): Promise<ExitCode> {
  if (file === undefined && html === undefined) throw new Error('name a file, as in claims.csv, or a page with --html');
  const loaded = await loadProfile(brand);
  const { claims, proofs } = loaded.profile;
  const written: string[] = [];
  if (file !== undefined) {
    await createFile(file, await formatOf(file).write(loaded.profile), { mode: READABLE, force });
    written.push(file);
  }
  if (html !== undefined) {
    const keys = await signedBy(brand, loaded.document);
    const questions = await questionsOf(brand, loaded.profile.questions ?? []);
    await createFile(html, staticClaimsPage({ profile: loaded, keys, questions }), { mode: READABLE, force });
    written.push(html);
  }
  writeLines(stderr, [`${written.join(', ')}: ${counted(claims.length, 'claim')}, ${counted(proofs.length, 'proof')}`]);
  return 0;
}

/** The public keys beside a profile that one of them signed. */
async function signedBy(brand: string, document: unknown): Promise<Uint8Array> {
  const file = keysBeside(brand);
  const keys = await readFile(file);
  const checks = await verifySignatures(document, await readKeySet(keys));
  if (checks.some(({ outcome }) => outcome === 'verified')) return keys;
  throw new Error(`${brand} is not signed by ${file}: run ${ownCommand().here} studio ${quoted(brand)}, or sign it`);
}

/** The profile's own questions, then those of the owner's file; each once. */
async function questionsOf(brand: string, own: readonly { readonly text: string; readonly claim_id: string }[]) {
  const file = await readQuestionFile(questionsBeside(brand));
  const all = [
    ...own.map(({ text, claim_id }) => ({ text, claimId: claim_id })),
    ...file.flatMap(({ query, relevant: [claimId] }) => (claimId === undefined ? [] : [{ text: query, claimId }])),
  ];
  return [...new Map(all.map(question => [question.text, question])).values()].slice(0, 200);
}
