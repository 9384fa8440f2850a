import { loadModel } from '../../brand/embedding/load-embedder.ts';
import type { Claim } from '../../brand/profile/schema.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import { searchText } from '../../brand/retrieval/scores/search-text.ts';
import { figuresAtFive, hintsOf, type Ranked } from '../../owner/measure/hints.ts';
import { readConfig } from '../../server/config/config.ts';
import { CLAIMS, FRESH, MENDED, QUESTIONS } from './unseen-trade/school.ts';

/** `npm run bench -- unseen`: an invented trade before and after the studio's hints were followed, and with fresh questions. */
const model = await loadModel(readConfig(process.env).embedding);

const claims = (statements: Readonly<Record<string, string>>): Claim[] =>
  CLAIMS.map(([claim_id, category, statement, applicable_for, not_applicable_for]) => ({
    ...{ claim_id, category, statement: statements[claim_id] ?? statement, confidence: 'medium', proof_ids: [] },
    boundary: { applicable_for, not_applicable_for },
  }));

async function rank(of: readonly Claim[], asked: typeof QUESTIONS): Promise<Ranked[]> {
  const retrieval = await createRetrieval({ ...model, texts: of.map(searchText) });
  const ranked: Ranked[] = [];
  for (const [query, ...relevant] of asked) {
    const question = { query, relevant, lang: 'es', kind: 'own' };
    ranked.push({ question, ranking: await retrieval.search(query, 5) });
  }
  return ranked;
}

const print = (text: string) => process.stdout.write(`${text}\n`);

print('| claims | questions | right first | in five | honest nothing |\n| --- | --- | ---: | ---: | ---: |');
for (const [name, statements] of [
  ['as written', {}],
  ['after the hints', MENDED],
] as const) {
  for (const [set, asked] of [
    ['40 written before', QUESTIONS],
    ['15 fresh', FRESH],
  ] as const) {
    const own = claims(statements);
    const { first, inFive, answerable, honest, unanswerable } = figuresAtFive(await rank(own, asked), own);
    print(
      `| ${name} | ${set} | ${first} of ${answerable} | ${inFive} of ${answerable} | ${honest} of ${unanswerable} |`,
    );
  }
}

if (process.argv.includes('--hints')) {
  const own = claims({});
  for (const hint of hintsOf(await rank(own, QUESTIONS), own)) print(JSON.stringify(hint));
}
process.exit();
