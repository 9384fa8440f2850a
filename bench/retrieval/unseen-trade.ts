import type { Claim } from '../../brand/profile/schema.ts';
import { loadModel } from '../../brand/retrieval/load-embedder.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import { searchText } from '../../brand/retrieval/search-text.ts';
import { figuresAtFive, hintsOf, type Ranked } from '../../owner/measure/hints.ts';
import { readConfig } from '../../server/config/config.ts';
import { SCHOOL } from './unseen-trade/school.ts';
import type { Trade } from './unseen-trade/trade.ts';
import { WATCHMAKER } from './unseen-trade/watchmaker.ts';

/** `npm run bench -- unseen`: invented trades before and after the studio's hints were followed, and with fresh questions. */
const model = await loadModel(readConfig(process.env).embedding);

const claims = (trade: Trade, statements: Trade['mended']): Claim[] =>
  trade.claims.map(([claim_id, category, statement, applicable_for, not_applicable_for]) => ({
    ...{ claim_id, category, statement: statements[claim_id] ?? statement, confidence: 'medium', proof_ids: [] },
    boundary: { applicable_for, not_applicable_for },
  }));

async function rank(of: readonly Claim[], asked: Trade['questions']): Promise<Ranked[]> {
  const retrieval = await createRetrieval({ ...model, texts: of.map(searchText) });
  const ranked: Ranked[] = [];
  for (const [query, ...relevant] of asked) {
    const question = { query, relevant, lang: 'es', kind: 'own' };
    ranked.push({ question, ranking: await retrieval.search(query, 5) });
  }
  return ranked;
}

const print = (text: string) => process.stdout.write(`${text}\n`);

print(
  '| trade | claims | questions | right first | in five | honest nothing |\n| --- | --- | --- | ---: | ---: | ---: |',
);
for (const trade of [SCHOOL, WATCHMAKER]) {
  for (const [name, statements] of [
    ['as written', {}],
    ['after the hints', trade.mended],
  ] as const) {
    for (const [set, asked] of [
      ['40 written before', trade.questions],
      ['15 fresh', trade.fresh],
    ] as const) {
      const own = claims(trade, statements);
      const { first, inFive, answerable, honest, unanswerable } = figuresAtFive(await rank(own, asked), own);
      const figures = [`${first} of ${answerable}`, `${inFive} of ${answerable}`, `${honest} of ${unanswerable}`];
      print(`| ${[trade.name, name, set, ...figures].join(' | ')} |`);
    }
  }
}

if (process.argv.includes('--hints')) {
  for (const trade of [SCHOOL, WATCHMAKER]) {
    const own = claims(trade, {});
    for (const hint of hintsOf(await rank(own, trade.questions), own)) print(`${trade.name}: ${JSON.stringify(hint)}`);
  }
}
process.exit();
