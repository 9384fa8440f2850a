import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Embedder } from './embedder.ts';
import { type Encoder, openEncoder, RuntimeMissing } from './encoder.ts';
import { type Int8Rows, quantise } from './int8-rows.ts';
import { keyOf } from './kept-vectors.ts';
import { BUNDLED_MODEL, isCalibrated, type Parameters, parametersOf } from './parameters.ts';
import { openSafetensors } from './safetensors.ts';
import { loadStaticEmbedder, readBytes, readPart } from './static-embedder.ts';
import { isHubName, loadTransformer, type TransformerSettings } from './transformer.ts';

/** Claims of no profile, and the mean vector of the questions that each is asked: row k belongs to row k. */
export interface Bank {
  readonly claims: Int8Rows;
  readonly questions: Int8Rows;
  /** Names its numbers. */
  readonly digest: string;
}

/** An embedder with what retrieval needs to know about it. */
export interface RetrievalModel {
  readonly embedder: Embedder;
  readonly parameters: Parameters;
  /** Texts of no profile; how near a question is to them tells what nearness means for that question. */
  readonly background: Int8Rows;
  readonly bank: Bank | undefined;
  /** Whether the parameters were fitted to this model; if not, similarities give an order and no threshold. */
  readonly calibrated: boolean;
  /** Absent where the embedder answers alone. */
  readonly encoder?: Encoder | undefined;
}

/** What answers, and how that is called in logs and on terminals. */
export interface LoadedModel extends RetrievalModel {
  readonly answeredBy: string;
}

export const ENCODER_USES = ['auto', 'on', 'off'] as const;

/** The settings ENCODER and ENCODER_THREADS. */
export interface EncoderSettings {
  /** `auto`: where the model has an encoder and its runtime is installed. */
  readonly use: (typeof ENCODER_USES)[number];
  readonly threads?: number | undefined;
}

export interface EmbeddingSettings extends TransformerSettings {
  readonly encoder: EncoderSettings;
}

type Note = (message: string) => void;

/**
 * Loads the model that the settings name, with what retrieval needs to know about it.
 * @throws Error that says what is wrong with it
 */
export async function loadModel(settings: EmbeddingSettings, note: Note = () => {}): Promise<LoadedModel> {
  const [{ embedder, directory }, encoder] = await Promise.all([
    loadEmbedder(settings, note),
    loadEncoder(settings.model, settings.encoder),
  ]);
  const model = await loadRetrievalModel(directory, embedder);
  if (!model.calibrated) {
    note(
      'the model has no retrieval.json: its similarities give an order, and are not calibrated for a threshold',
    );
  }
  if (typeof encoder !== 'string') return { ...model, encoder, answeredBy: 'table and encoder' };
  return { ...model, answeredBy: `${embedder.tokens ? 'table alone' : 'transformer'} (${encoder})` };
}

/**
 * Loads the model that the settings name: a directory with model.safetensors (a table of tokens) or with onnx/ (a
 * transformer), else a transformer of the hub.
 * @returns also the directory with the model's files
 * @throws Error that says what is wrong with it
 */
export async function loadEmbedder(
  settings: EmbeddingSettings,
  note: Note = () => {},
): Promise<{ embedder: Embedder; directory: string }> {
  const { model } = settings;
  if (!statSync(model, { throwIfNoEntry: false })?.isDirectory()) {
    if (isHubName(model)) return loadTransformer(settings, { note });
    throw new Error(`${model}: no such directory, and no model of the hub (org/name)`);
  }
  if (existsSync(join(model, 'onnx'))) return loadTransformer(settings);
  if (existsSync(join(model, 'model.safetensors')))
    return { embedder: await openTable(model), directory: model };
  throw new Error(`${model}: holds neither model.safetensors (a table of tokens) nor onnx/ (a transformer)`);
}

/** A table keeps its file open: one a process, whoever asks. */
const tables = new Map<string, Promise<Embedder>>();

function openTable(directory: string): Promise<Embedder> {
  const opening = tables.get(directory) ?? loadStaticEmbedder(directory);
  tables.set(directory, opening);
  opening.catch(() => tables.delete(directory));
  return opening;
}

/** A session takes much memory: one a process, whoever asks. */
const encoders = new Map<string, Promise<Encoder>>();

/**
 * Opens the encoder beside the table of a model directory: its folder `encoder/`.
 * @returns in words why there is none
 * @throws Error where its files are damaged, and with `on` where there is none
 */
export async function loadEncoder(
  model: string,
  { use, threads = Math.max(1, availableParallelism() - 1) }: EncoderSettings,
): Promise<Encoder | string> {
  const missing = (reason: string): string => {
    if (use === 'on') throw new Error(`ENCODER=on, but ${reason}. Or set ENCODER=auto.`);
    return reason;
  };
  if (use === 'off') return 'ENCODER=off';
  const directory = join(model, 'encoder');
  if (!existsSync(directory)) return missing('the model has no folder encoder/');
  const key = `${directory}\n${threads}`;
  const opening = encoders.get(key) ?? openEncoder(directory, { threads });
  encoders.set(key, opening);
  return opening.catch((error: Error) => {
    encoders.delete(key);
    if (error instanceof RuntimeMissing) return missing(error.message);
    throw error;
  });
}

/** Before a process ends: where a thread is within the runtime then, the process is aborted (SIGABRT). Nothing is read after it. */
export async function closeEncoders(): Promise<void> {
  const opened = await Promise.allSettled(encoders.values());
  await Promise.all(opened.map(opening => opening.status === 'fulfilled' && opening.value.close()));
}

const BackgroundTexts = z.array(z.string().min(1)).min(1).max(10_000);

/**
 * Reads parameters, background and bank of a model directory. Parameters and background texts that are not there are those
 * of the bundled model; a bank is of one model only.
 * @throws Error that says which file is at fault and why
 */
export async function loadRetrievalModel(directory: string, embedder: Embedder): Promise<RetrievalModel> {
  const own = (name: string) => existsSync(join(directory, name));
  const fileOf = (name: string) => join(own(name) ? directory : BUNDLED_MODEL, name);
  const rowsOf = (file: string, ...names: readonly string[]) =>
    readPart(file, path => {
      const tensors = openSafetensors(path);
      const rows = names.map(tensors.int8);
      tensors.close();
      if (rows.every(({ dims }) => dims === embedder.dims)) return rows;
      throw new Error(`its rows are not of ${embedder.dims} numbers`);
    });
  const parameters = parametersOf(directory);
  const [background = await embedTexts(fileOf('background.json'), embedder)] = own('background.safetensors')
    ? await rowsOf(fileOf('background.safetensors'), 'texts')
    : [];
  const [claims, questions] = own('bank.safetensors')
    ? await rowsOf(fileOf('bank.safetensors'), 'claims', 'questions')
    : [];
  const bank = claims && questions && { claims, questions, digest: keyOf(claims.values, questions.values) };
  return { embedder, parameters, background, bank, calibrated: isCalibrated(directory) };
}

async function embedTexts(file: string, embedder: Embedder): Promise<Int8Rows> {
  const texts = await readPart(file, async path =>
    BackgroundTexts.parse(JSON.parse((await readBytes(path)).toString('utf8'))),
  );
  return quantise(await embedder.embed(texts), embedder.dims);
}
