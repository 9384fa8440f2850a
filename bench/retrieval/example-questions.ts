import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { loadProfile } from '../../brand/profile/profile.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import type { RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import { searchText } from '../../brand/retrieval/search-text.ts';
import { auc, mean, recallAt } from '../../owner/measure/measures.ts';
import { type Asked, isAnswerable, type RankingFigures, rankingFigures } from './asked.ts';

/** Ranking figures over the answerable questions; AUC of answerable against unanswerable by the chance that any claim answers. */
export interface ExampleRow extends RankingFigures {
  readonly language: string;
  readonly recall5: number;
  readonly unanswerable: number;
  readonly auc: number;
}

const Question = z.object({
  lang: z.string(),
  query: z.string(),
  /** Claim ids; empty where no claim answers. */
  relevant: z.array(z.string()),
});

export type Question = z.infer<typeof Question>;

/** Ranks all claims of examples/brand.json for every question of a file. */
export async function askExample(
  model: RetrievalModel,
  examples: string,
  file = `${examples}/questions.jsonl`,
): Promise<Asked[]> {
  const { profile } = await loadProfile(`${examples}/brand.json`);
  const retrieval = await createRetrieval({ ...model, texts: profile.claims.map(searchText) });
  const asked: Asked[] = [];
  for (const { lang, query, relevant } of await readQuestions(file)) {
    const { scored, some } = await retrieval.search(query, profile.claims.length);
    asked.push({
      language: lang,
      ranking: scored.map(({ index }) => profile.claims[index]!.claim_id),
      relevant: new Set(relevant),
      some,
      similarities: scored.map(({ similarity }) => similarity),
    });
  }
  return asked;
}

export async function readQuestions(file: string): Promise<Question[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map(line => Question.parse(JSON.parse(line)));
}

/** A row for each language, and one for all. */
export function exampleRows(asked: readonly Asked[]): ExampleRow[] {
  const languages = [...new Set(asked.map(({ language }) => language))];
  return [
    ...languages.map(language =>
      rowOf(
        language,
        asked.filter(question => question.language === language),
      ),
    ),
    rowOf('all', asked),
  ];
}

function rowOf(language: string, asked: readonly Asked[]): ExampleRow {
  const answerable = asked.filter(isAnswerable);
  const unanswerable = asked.filter(question => !isAnswerable(question));
  return {
    language,
    ...rankingFigures(answerable),
    recall5: mean(answerable.map(({ ranking, relevant }) => recallAt(ranking, relevant, 5))),
    unanswerable: unanswerable.length,
    auc: auc(answerable.map(someOf), unanswerable.map(someOf)),
  };
}

const someOf = ({ some }: Asked): number => some;
