import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { init } from '../server/cli/init.ts';
import { openStudio, type StudioOptions } from '../server/cli/studio.ts';
import { readConfig } from '../server/config/config.ts';
import { temporaryFolder } from './folder.ts';

import { TABLE_ALONE } from './support.ts';

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

/** A folder with a profile and its keys, as `aval init` makes them, holding these claims. */
export async function profileFolder(claims: readonly object[] = [CLAIM], language = 'es') {
  const directory = temporaryFolder();
  const path = (name: string) => join(directory, name);
  await init({ directory, name: 'Fisio Ribera', url: 'https://fisio.example', language, now: NOW }, SILENT);
  const read = async () => JSON.parse(await readFile(path('brand.json'), 'utf8'));
  const write = (document: object) => writeFile(path('brand.json'), `${JSON.stringify(document, null, 2)}\n`);
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
  const all = { port: 0, embedding: readConfig(TABLE_ALONE).embedding, now: () => NOW, ...options };
  const studio = await openStudio(path('brand.json'), all, message => notes.push(message));
  t.after(studio.close);
  const { origin } = new URL(studio.url);
  const opened = await fetch(studio.url, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const call = (name: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    fetch(`${origin}/api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, ...headers },
      body: JSON.stringify(body),
    });
  const done = async (name: string, body: unknown = {}) => {
    const response = await call(name, body);
    const answer = JSON.parse(await response.text());
    if (!response.ok) throw new Error(answer.error);
    return answer;
  };
  return { ...studio, origin, cookie, call, done, notes };
}

export const set = (path: readonly (string | number)[], value: unknown) => ({ edits: [{ do: 'set', path, value }] });
