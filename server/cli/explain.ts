import { brandName } from '../../brand/profile/profile.ts';
import type { Profile } from '../../brand/profile/schema.ts';
import { floorsOf } from '../../brand/retrieval/answers.ts';
import type { TokenTable } from '../../brand/retrieval/embedder.ts';
import { neighbours } from '../../brand/retrieval/expansion.ts';
import { cosines, rowVector } from '../../brand/retrieval/int8-rows.ts';
import { loadModel } from '../../brand/retrieval/load-embedder.ts';
import { createRetrieval, type Scored } from '../../brand/retrieval/retrieval.ts';
import type { RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import { searchText } from '../../brand/retrieval/search-text.ts';
import { dot } from '../../brand/retrieval/vector.ts';
import type { Config } from '../config/config.ts';

/** Some more than are answered, to see what was left out. */
const SHOWN = 8;
const ANSWERED = 5;

/** Below this cosine two words have nothing to do with each other (model/README.md, late). */
const RELATED = 0.3;

/** How the claims for a question came about: parts of each score, matched words, neighbours in the bank, what was left out and why. */
export async function explain(
  query: string,
  profile: Profile,
  { embedding, floors: configured }: Config,
): Promise<string> {
  const model = await loadModel(embedding);
  const texts = profile.claims.map(searchText);
  const retrieval = await createRetrieval({ ...model, name: brandName(profile), texts });
  const floors = floorsOf(model.calibrated, configured);
  const { scored, some, level, rivals, length } = await retrieval.search(query, SHOWN);
  const [vector = new Float32Array(model.embedder.dims)] = await model.embedder.embed([query], 'query');
  const unheard = floors.match > 0 && !retrieval.hasContent(query);
  const isEmpty = unheard || some < floors.some;
  const head = [
    `answered by: ${model.answeredBy}`,
    `some ${some.toFixed(4)}: the chance that any claim answers; the similarities of all claims add up to it; floor ${floors.some}`,
    `background level ${level.toFixed(3)}: mean of the largest cosines with texts of no profile; it counts against every claim`,
    `rivals ${rivals.toFixed(3)}: mean score of the claims after the best; words counted: ${Math.round(Math.exp(length) - 1)}`,
    `bank gate ${retrieval.gate.toFixed(2)}: how far the questions of like claims have a say; floor of a match ${floors.match}`,
    ...(unheard ? ['The question has no content word: whatever resembles it is left out.'] : []),
  ];
  const rows = await Promise.all(
    scored.map(async (hit, place) => {
      const { head, text } = texts[hit.index]!;
      const [claim = vector] = await model.embedder.embed([text]);
      const cut = isEmpty || place >= ANSWERED || rounded(hit.similarity) < floors.match;
      return [
        `${hit.similarity.toFixed(4)}  ${profile.claims[hit.index]?.claim_id}${cut ? `  (left out: ${reason(unheard, isEmpty, place)})` : ''}`,
        `  score ${hit.score.toFixed(3)} = ${partsOf(hit, dot(vector, claim), model)}`,
        `  words  ${matchedWords(query, text, model.embedder.tokens) || 'none'}`,
        `  bank   ${await bankLines(head, model)}`,
      ].join('\n');
    }),
  );
  return `${[...head, '', ...rows].join('\n')}\n`;
}

function reason(unheard: boolean, isEmpty: boolean, place: number): string {
  if (unheard) return 'no content word';
  if (isEmpty) return 'no claim is likely to answer';
  return place >= ANSWERED ? 'not among the five best' : 'below the floor';
}

function partsOf(
  { meaning, late, lexical, cosine }: Scored,
  dense: number,
  { embedder, encoder, parameters: { weights } }: RetrievalModel,
): string {
  const denseWeight = embedder.tokens ? weights.dense : weights.dense + weights.late;
  const lateWeight = embedder.tokens ? weights.late : 0;
  const expansion = (meaning - denseWeight * dense) / weights.expansion;
  const parts = {
    dense: [denseWeight, dense],
    expansion: [weights.expansion, expansion],
    late: [lateWeight, late],
    lexical: [weights.lexical, lexical],
    ...(encoder && { encoder: [encoder.weight, cosine] as const }),
  } as const;
  return Object.entries(parts)
    .map(([name, [weight, value]]) => `${weight} × ${name} ${value.toFixed(3)}`)
    .join(' + ');
}

/** Each word of the question with the nearest word of the claim and their cosine. */
function matchedWords(query: string, text: string, table: TokenTable | undefined): string {
  if (!table) return '';
  const claim = Uint32Array.from(new Set(table.tokenize(text)));
  const found = [...new Set(table.tokenize(query))].flatMap(token => {
    const near = cosines(rowVector(table.rows, token), table.rows, claim);
    const best = near.reduce((place, value, at) => (value > near[place]! ? at : place), 0);
    return (near[best] ?? 0) < RELATED
      ? []
      : [`${table.word(token)} ~ ${table.word(claim[best]!)} ${near[best]!.toFixed(2)}`];
  });
  return found.join(', ');
}

/** The lines of model/training/claims-questions.jsonl whose claims are most like this one. */
async function bankLines(head: string, model: RetrievalModel): Promise<string> {
  if (!model.bank) return 'none for this model';
  const [vector = new Float32Array(model.embedder.dims)] = await model.embedder.embed([head]);
  const { rows, cosines } = neighbours(vector, model);
  return rows
    .slice(0, 3)
    .map((row, place) => `line ${row + 1} (${cosines[place]!.toFixed(2)})`)
    .join(', ');
}

const rounded = (similarity: number) => Math.round(similarity * 10_000) / 10_000;
