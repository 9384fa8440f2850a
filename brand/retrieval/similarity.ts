import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Scored } from './vector-index.ts';

const share = z.number().min(0).max(1);

/** retrieval.json: how scores become chances, and the least chance of a match. */
const Parameters = z.object({
  calibration: z.object({
    score: z.number(),
    rival: z.number(),
    length: z.number(),
    beta: z.number(),
    sharpness: z.number().positive(),
    /** Claims after the best one whose mean score counts. */
    rivals: z.number().int().positive(),
  }),
  floor: z.object({ some: share, match: share }),
});

export type Parameters = z.infer<typeof Parameters>;

/** Directory of the model that comes with the package. */
export const BUNDLED_MODEL = dirname(
  fileURLToPath(import.meta.resolve('#package/model/encoder/retrieval.json')),
);

/** Parameters of the bundled model. */
export function readParameters(): Parameters {
  return Parameters.parse(JSON.parse(readFileSync(join(BUNDLED_MODEL, 'retrieval.json'), 'utf8')));
}

/** A match: the index of a claim in the profile, and its similarity. */
interface Ranked {
  readonly index: number;
  readonly similarity: number;
}

const MAX_MATCHES = 5;

/**
 * The matches of a question: at most five, and none if the chance that any claim answers is below the floor.
 * @param nearest the nearest claims with their scores, best first
 * @param parameters absent for a model without calibration: its similarities are the scores, and only give an
 * order
 */
export function rankMatches(
  nearest: readonly Scored[],
  query: string,
  parameters: Parameters | undefined,
): Ranked[] {
  if (!parameters) {
    const best = nearest.slice(0, MAX_MATCHES);
    return best.map(({ index, score }) => ({ index, similarity: Math.min(1, Math.max(0, score)) }));
  }
  const { chance, similarities } = shareChance(nearest, query, parameters);
  const { floor } = parameters;
  if (chance < floor.some) return [];
  const ranked = nearest.map(({ index }, place) => ({ index, similarity: similarities[place]! }));
  return ranked.slice(0, MAX_MATCHES).filter(({ similarity }) => similarity >= floor.match);
}

/**
 * The chance that any claim answers, shared out over the nearest claims by their scores
 * (model/encoder/README.md, 5).
 * @returns `similarities` in the order of `nearest`; they add up to `chance`
 */
export function shareChance(
  nearest: readonly Scored[],
  query: string,
  { calibration }: Parameters,
): { chance: number; similarities: number[] } {
  const scores = nearest.map(({ score }) => score);
  const best = scores[0] ?? 0;
  const runnersUp = scores.slice(1, 1 + calibration.rivals);
  const runnerUpMean = runnersUp.length === 0 ? best : sum(runnersUp) / runnersUp.length;
  const words = query.split(/\s+/).filter(Boolean).length;
  const logOdds =
    calibration.score * best +
    calibration.rival * runnerUpMean +
    calibration.length * Math.log(1 + words) +
    calibration.beta;
  const chance = 1 / (1 + Math.exp(-logOdds));
  const shares = scores.map(score => Math.exp(calibration.sharpness * (score - best)));
  const total = sum(shares);
  return { chance, similarities: shares.map(value => (chance * value) / total) };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * How to read a similarity.
 * @param calibrated whether it is a chance, as with the bundled model
 */
export const similarityMeaning = (calibrated: boolean): string =>
  calibrated
    ? '`similarity` is the chance that this match is the right one, 0 to 1. From 0.8 up about nine in ten ' +
      'are right; read one below 0.5 as a hint.'
    : '`similarity` is not calibrated for this embedding model, 0 to 1. It gives an order, not a threshold.';
