import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { init } from '../../server/cli/init.ts';
import { openStudio, type StudioOptions } from '../../server/cli/studio.ts';
import { readConfig } from '../../server/config/config.ts';
import { temporaryFolder } from '../support/folder.ts';

import { TABLE_ALONE } from '../support/support.ts';

export const NOW = new Date('2026-11-22T12:00:00Z');
const SILENT = { stdout: { write: () => {} }, stderr: { write: () => {} }, stdin: process.stdin };

/** A claim that lacks nothing. */
export const CLAIM = {
  claim_id: 'clm-session',
  statement: 'Una sesión individual cuesta 45 euros.',
  category: 'precios',
  boundary: {
    applicable_for: 'Personas adultas que vienen a la consulta de Zaragoza.',
    not_applicable_for: 'Visitas a domicilio y sesiones en grupo.',
  },
  confidence: 'medium',
  proof_ids: [],
};

/** A proof that lacks nothing. */
export const PROOF = {
  ...{ proof_id: 'prf-1', type: 'audit', title: 'Un informe', summary: 'Fechas de doce visitas.' },
  ...{ client: 'Una clínica de Teruel', verifiable_by: 'Quien lo pida', confidentiality: 'public' },
};

/** A folder with a profile and its keys, as `aval init` makes them, holding these claims. */
export async function profileFolder(claims: readonly object[] = [CLAIM], language = 'es') {
  const directory = temporaryFolder();
  const path = (name: string) => join(directory, name);
  await init({ directory, name: 'Fisio Ribera', url: 'https://fisio.example', language, now: NOW }, SILENT);
  const read = async () => JSON.parse(await readFile(path('brand.json'), 'utf8'));
  // At once: a page that looks in between would read half a file.
  const write = async (document: object) => {
    await writeFile(path('brand.new'), `${JSON.stringify(document, null, 2)}\n`);
    await rename(path('brand.new'), path('brand.json'));
  };
  const { signatures: _, ...document } = await read();
  await write({ ...document, claims, proofs: [] });
  return { path, read, write };
}

/** A studio on that profile, and what it answers to a browser that was let in. */
export async function startStudio(
  t: TestContext,
  path: (name: string) => string,
  options: Partial<StudioOptions> = {},
) {
  const notes: string[] = [];
  const all = { embedding: readConfig(TABLE_ALONE).embedding, now: () => NOW, ...options };
  const studio = await openStudio(path('brand.json'), all, message => notes.push(message));
  t.after(studio.close);
  const { origin, authorization } = keyOfStudio(studio.url);
  const call = (name: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    fetch(`${origin}/api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization, ...headers },
      body: JSON.stringify(body),
    });
  const done = async (name: string, body: unknown = {}) => {
    const response = await call(name, body);
    const answer = JSON.parse(await response.text());
    if (!response.ok) throw new Error(answer.error);
    return answer;
  };
  /** Gives the value at a path of positions another one, as a page that shows the file now. */
  const put = async (path: Path, value?: unknown) => {
    const { document, version } = await done('state');
    return done('edit', { version, edits: [editAt(document, path, value)] });
  };
  return { ...studio, origin, authorization, call, done, put, notes };
}

/** What a page that was opened at the printed address sends with each call. */
export function keyOfStudio(url: string) {
  const { origin, hash } = new URL(url);
  return { origin, authorization: `Bearer ${hash.replace('#token=', '')}` };
}

type Path = readonly (string | number)[];

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((part, name) => Object(part)[name], value);

/** An edit as the page sends it: claims and proofs by their ids, with the value that was there. */
export function editAt(document: Record<string, unknown>, path: Path, value?: unknown) {
  const [list = '', at = 0, ...member] = path;
  const id = valueAt(document, [list, at, list === 'claims' ? 'claim_id' : 'proof_id']);
  const named =
    (list === 'claims' || list === 'proofs') && typeof id === 'string' ? [list, id, ...member] : path;
  return { path: named, was: valueAt(document, path), value };
}
