import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { RetrievalModel } from '../brand/embedding/retrieval-model.ts';
import { auc, type Judged, type RankingFigures, rankingFigures } from '../brand/evaluation/measures.ts';
import { loadProfile } from '../brand/profile/profile.ts';
import { searchText } from '../brand/retrieval/build-brand.ts';
import { createRetrieval } from '../brand/retrieval/retrieval.ts';

export interface ExampleFigures {
  readonly claims: number;
  readonly rows: readonly ExampleRow[];
  readonly thresholds: readonly ThresholdRow[];
}

/** Ranking figures over the answerable questions; AUC of answerable against unanswerable by the best similarity. */
export interface ExampleRow extends RankingFigures {
  readonly language: string;
  readonly unanswerable: number;
  readonly auc: number;
}

/** Share of the questions whose best similarity reaches the threshold; precision is the answerable's part of those kept. */
export interface ThresholdRow {
  readonly threshold: number;
  readonly answerableKept: number;
  readonly unanswerableKept: number;
  readonly precision: number;
}

const THRESHOLDS = [0.3, 0.4, 0.5];

const Question = z.object({
  lang: z.string(),
  query: z.string(),
  /** Claim ids; empty where no claim answers. */
  relevant: z.array(z.string()),
});

interface Asked extends Judged<string> {
  readonly language: string;
  readonly best: number;
}

/** Ranks all claims of examples/brand.json for every question of examples/questions.jsonl. */
export async function evaluateExample(model: RetrievalModel, examples: string): Promise<ExampleFigures> {
  const { profile } = await loadProfile(`${examples}/brand.json`);
  const retrieval = await createRetrieval({ ...model, texts: profile.claims.map(searchText) });
  const asked: Asked[] = [];
  for (const { lang, query, relevant } of await readQuestions(`${examples}/questions.jsonl`)) {
    const { scored } = await retrieval.search(query, profile.claims.length);
    const ranking = scored.map(({ index }) => profile.claims[index]!.claim_id);
    asked.push({ language: lang, ranking, relevant: new Set(relevant), best: scored[0]!.similarity });
  }
  const languages = [...new Set(asked.map(({ language }) => language))];
  return {
    claims: profile.claims.length,
    rows: [
      ...languages.map(language =>
        exampleRow(
          language,
          asked.filter(question => question.language === language),
        ),
      ),
      exampleRow('all', asked),
    ],
    thresholds: THRESHOLDS.map(threshold => thresholdRow(threshold, asked)),
  };
}

async function readQuestions(file: string): Promise<z.infer<typeof Question>[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map(line => Question.parse(JSON.parse(line)));
}

function exampleRow(language: string, asked: readonly Asked[]): ExampleRow {
  const { answerable, unanswerable } = split(asked);
  return {
    language,
    ...rankingFigures(answerable),
    unanswerable: unanswerable.length,
    auc: auc(bestOf(answerable), bestOf(unanswerable)),
  };
}

function thresholdRow(threshold: number, asked: readonly Asked[]): ThresholdRow {
  const { answerable, unanswerable } = split(asked);
  const kept = (questions: readonly Asked[]) => bestOf(questions).filter(best => best >= threshold).length;
  return {
    threshold,
    answerableKept: kept(answerable) / answerable.length,
    unanswerableKept: kept(unanswerable) / unanswerable.length,
    precision: kept(answerable) / kept(asked),
  };
}

function split(asked: readonly Asked[]): { answerable: Asked[]; unanswerable: Asked[] } {
  return {
    answerable: asked.filter(({ relevant }) => relevant.size > 0),
    unanswerable: asked.filter(({ relevant }) => relevant.size === 0),
  };
}

function bestOf(asked: readonly Asked[]): number[] {
  return asked.map(({ best }) => best);
}
