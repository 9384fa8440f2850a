import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { loadModel } from '../brand/embedding/load-embedder.ts';
import { startPreview } from '../owner/studio/preview-server.ts';
import { readConfig } from '../server/config/config.ts';
import { EXAMPLE, TABLE_ALONE } from './support.ts';

/** The example with a claim that is broken and one that deserves a look. */
export const DRAFT = {
  ...EXAMPLE,
  claims: [
    { ...EXAMPLE.claims[0], boundary: { applicable_for: EXAMPLE.claims[0].boundary.applicable_for } },
    { ...EXAMPLE.claims[1], confidence: 'alta' },
    ...EXAMPLE.claims.slice(2, 6),
  ],
  proofs: EXAMPLE.proofs.filter(({ proof_id }: { proof_id: string }) =>
    EXAMPLE.claims.slice(0, 6).some(({ proof_ids }: { proof_ids: string[] }) => proof_ids.includes(proof_id)),
  ),
};

const QUESTIONS = `query,claim ids,language
¿qué ofertas no sirven para nada?,clm-promo-waste,es
¿hacéis campañas de televisión?,,es
`;

/** The preview of a draft in a folder of the test. */
export async function startDraft(t: TestContext, { draft = DRAFT, questions = QUESTIONS } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'preview-'));
  const files = {
    profile: join(directory, 'brand.json'),
    questions: join(directory, 'questions.csv'),
    jwks: join(directory, 'brand.jwks.json'),
  };
  const save = (document: object | string) =>
    writeFileSync(files.profile, typeof document === 'string' ? document : JSON.stringify(document, null, 2));
  save(draft);
  writeFileSync(files.questions, questions);
  const model = await loadModel(readConfig(TABLE_ALONE).embedding);
  const notes: string[] = [];
  const preview = await startPreview({ files, model, port: 0, note: message => notes.push(message) });
  t.after(async () => {
    await preview.close();
    rmSync(directory, { recursive: true });
  });
  return { ...preview, save, files, notes };
}
