import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Embedder } from './embedder.ts';
import type { Encoder } from './encoder.ts';
import { type Int8Rows, quantise } from './int8-rows.ts';
import { parseSafetensors } from './safetensors.ts';
import { readPart } from './static-embedder.ts';
import { readInt8Rows } from './token-rows.ts';

const share = z.number().min(0).max(1);
const count = z.number().int().positive();

const Calibration = z.object({
  score: z.number(),
  rival: z.number(),
  length: z.number(),
  level: z.number(),
  beta: z.number(),
  sharpness: z.number().positive(),
  rivals: count,
  backgroundTop: count,
});

/** encoder/retrieval.json: what changes where an encoder reads beside the table (model/encoder/README.md). */
const EncoderParameters = z.object({
  withEncoder: z.object({ weight: z.number().positive(), calibration: Calibration }),
});

/** retrieval.json of a model directory: how scores are made and joined, and how they become a similarity (model/README.md). */
const RetrievalParameters = z.object({
  weights: z.object({ dense: share, expansion: share, late: share, lexical: share }),
  bm25: z.object({
    n: z.number().int().min(1).max(10),
    k1: z.number().positive(),
    b: share,
    scale: z.number().positive(),
  }),
  late: z.object({ epsilon: z.number().positive(), from: share, to: share }),
  expansion: z.object({ neighbours: count, sharpness: z.number(), from: share, to: share, fallback: share }),
  calibration: Calibration,
});

export type RetrievalParameters = z.infer<typeof RetrievalParameters>;

/** Claims of no profile, and the mean vector of the questions that each is asked: row k belongs to row k. */
export interface Bank {
  readonly claims: Int8Rows;
  readonly questions: Int8Rows;
}

/** An encoder, the weight of its cosine in a score, and the calibration of such scores. */
export interface EncoderPart {
  readonly encoder: Encoder;
  readonly weight: number;
  readonly calibration: RetrievalParameters['calibration'];
}

/** An embedder with what retrieval needs to know about it. */
export interface RetrievalModel {
  readonly embedder: Embedder;
  readonly parameters: RetrievalParameters;
  /** Texts of no profile; how near a question is to them tells what nearness means for that question. */
  readonly background: Int8Rows;
  readonly bank: Bank | undefined;
  /** Whether the parameters were fitted to this model; if not, similarities give an order and no threshold. */
  readonly calibrated: boolean;
  /** Absent where the embedder answers alone. */
  readonly encoder?: EncoderPart | undefined;
}

/** Directory of the model that comes with the package. */
export const BUNDLED_MODEL = dirname(fileURLToPath(import.meta.resolve('#package/model/config.json')));

/** Whether a model directory has parameters of its own. */
export function isCalibrated(directory: string): boolean {
  return existsSync(join(directory, 'retrieval.json'));
}

const BackgroundTexts = z.array(z.string().min(1)).min(1).max(10_000);

/**
 * Reads retrieval.json, background and bank of a model directory. Parameters and background texts that are not there are those
 * of the bundled model; a bank is of one model only.
 * @throws Error that says which file is at fault and why.
 */
export async function loadRetrievalModel(directory: string, embedder: Embedder): Promise<RetrievalModel> {
  const own = (name: string) => existsSync(join(directory, name));
  const fileOf = (name: string) => join(own(name) ? directory : BUNDLED_MODEL, name);
  const parameters = await readPart(fileOf('retrieval.json'), async bytes => parsed(RetrievalParameters, bytes));
  const background = own('background.safetensors')
    ? await readPart(fileOf('background.safetensors'), async bytes => readBackground(bytes, embedder.dims))
    : await embedTexts(fileOf('background.json'), embedder);
  const bank = own('bank.safetensors')
    ? await readPart(fileOf('bank.safetensors'), async bytes => readBank(bytes, embedder.dims))
    : undefined;
  return { embedder, parameters, background, bank, calibrated: isCalibrated(directory) };
}

/** @throws Error that says which file is at fault and why */
export async function readEncoderPart(encoder: Encoder, directory: string): Promise<EncoderPart> {
  const file = join(directory, 'retrieval.json');
  const { withEncoder } = await readPart(file, async bytes => parsed(EncoderParameters, bytes));
  return { encoder, ...withEncoder };
}

async function embedTexts(file: string, embedder: Embedder): Promise<Int8Rows> {
  const texts = await readPart(file, async bytes => parsed(BackgroundTexts, bytes));
  return quantise(await embedder.embed(texts), embedder.dims);
}

function readBackground(bytes: Buffer, dims: number): Int8Rows {
  return readInt8Rows(parseSafetensors(bytes), 'texts', dims);
}

function readBank(bytes: Buffer, dims: number): Bank {
  const tensors = parseSafetensors(bytes);
  return { claims: readInt8Rows(tensors, 'claims', dims), questions: readInt8Rows(tensors, 'questions', dims) };
}

function parsed<T>(schema: z.ZodType<T>, bytes: Buffer): T {
  const result = schema.safeParse(JSON.parse(bytes.toString('utf8')));
  if (result.success) return result.data;
  throw new Error(z.prettifyError(result.error).replaceAll(/\s+/g, ' '));
}
