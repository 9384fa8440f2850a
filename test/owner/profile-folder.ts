import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { init } from '../../server/cli/init.ts';
import { temporaryFolder } from '../support/folder.ts';

export const NOW = new Date('2026-11-22T12:00:00Z');
const SILENT = { stdout: { write: () => {} }, stderr: { write: () => {} } };

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
  const { signatures: _, ...document } = await read();
  await writeFile(
    path('brand.json'),
    `${JSON.stringify({ ...document, claims, proofs: [], questions: [] }, null, 2)}\n`,
  );
  return { path, read };
}
