import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const share = z.number().min(0).max(1);
const count = z.number().int().positive();

/** What makes scores a chance (model/encoder/README.md, 4). */
const Calibration = z.object({
  ...{ score: z.number(), rival: z.number(), length: z.number(), level: z.number(), beta: z.number() },
  sharpness: z.number().positive(),
  rivals: count,
  backgroundTop: count,
  /** How the log odds of a question for a price are corrected: other things have prices too. */
  price: z.object({ slope: z.number().positive(), offset: z.number() }).default({ slope: 1, offset: 0 }),
});

/** retrieval.json of a model directory: how scores are made and joined, and how they become a similarity (model/README.md). */
const Parameters = z.object({
  weights: z.object({ dense: share, expansion: share, late: share, lexical: share }),
  bm25: z.object({ n: count.max(10), k1: z.number().positive(), b: share, scale: z.number().positive() }),
  late: z.object({ epsilon: z.number().positive(), from: share, to: share }),
  expansion: z.object({ neighbours: count, sharpness: z.number(), from: share, to: share, fallback: share }),
  /** Of the table alone. */
  calibration: Calibration,
  withEncoder: z.object({ weight: z.number().positive(), calibration: Calibration }),
});

/** From which numbers on there is an answer, a match, a near match, and one that answers. */
const Floor = z.object({ some: share, match: share, near: share, answers: share });

export type Parameters = z.infer<typeof Parameters>;
export type Calibration = z.infer<typeof Calibration>;

/** Directory of the model that comes with the package. */
export const BUNDLED_MODEL = dirname(fileURLToPath(import.meta.resolve('#package/model/config.json')));

const bundled = read(BUNDLED_MODEL, Parameters.extend({ floor: Floor }));

/** The one table of thresholds: words, pages, lists, metrics and documents read it. */
export const FLOOR = bundled.floor;

/** Whether a model directory has parameters of its own. */
export function isCalibrated(directory: string): boolean {
  return existsSync(join(directory, 'retrieval.json'));
}

/**
 * Parameters of a model directory; those of the bundled model where it has none.
 * @throws Error with the file and what is wrong in it
 */
export function parametersOf(directory: string): Parameters {
  if (directory === BUNDLED_MODEL || !isCalibrated(directory)) return bundled;
  return read(directory, Parameters);
}

function read<Content>(directory: string, schema: z.ZodType<Content>): Content {
  const file = join(directory, 'retrieval.json');
  try {
    const result = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (result.success) return result.data;
    throw new Error(z.prettifyError(result.error).replaceAll(/\s+/g, ' '));
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
