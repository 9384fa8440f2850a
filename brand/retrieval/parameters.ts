import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const share = z.number().min(0).max(1);

/** retrieval.json of a model directory: how the three scores are joined, and how a joint score becomes a similarity. */
export const RetrievalParameters = z.object({
  weights: z.object({ dense: share, late: share, lexical: share }),
  bm25: z.object({
    n: z.number().int().min(1).max(10),
    k1: z.number().positive(),
    b: share,
    scale: z.number().positive(),
  }),
  calibration: z.object({
    alpha: z.number().positive(),
    beta: z.number(),
    lambda: z.number(),
    backgroundTop: z.number().int().positive(),
  }),
});

/** background.json: texts of no profile; how near a question is to them tells what nearness means for that question. */
const Background = z.array(z.string().min(1)).min(1).max(10_000);

export type RetrievalParameters = z.infer<typeof RetrievalParameters>;

export interface RetrievalModel {
  readonly parameters: RetrievalParameters;
  readonly background: readonly string[];
}

/** Directory of the model that comes with the package. */
export const BUNDLED_MODEL = dirname(fileURLToPath(import.meta.resolve('#package/model/config.json')));

/**
 * Reads retrieval.json and background.json of a model directory; a file that is not there is taken from the bundled model,
 * whose calibration is then a guess for the other model's similarities.
 * @throws Error that says which file is at fault and why.
 */
export async function loadRetrievalModel(directory: string): Promise<RetrievalModel> {
  const [parameters, background] = await Promise.all([
    readPart(directory, 'retrieval.json', RetrievalParameters),
    readPart(directory, 'background.json', Background),
  ]);
  return { parameters, background };
}

async function readPart<T>(directory: string, name: string, schema: z.ZodType<T>): Promise<T> {
  const file = join(directory, name);
  const text = (await readIfPresent(file)) ?? (await readFile(join(BUNDLED_MODEL, name), 'utf8'));
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new Error(`${file}: ${reason.replaceAll(/\s+/g, ' ')}`, { cause });
  }
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
