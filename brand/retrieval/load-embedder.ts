import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Embedder } from './embedder.ts';
import { type EncoderSettings, loadEncoder } from './load-encoder.ts';
import { loadRetrievalModel, type RetrievalModel, readEncoderPart } from './retrieval-model.ts';
import { loadStaticEmbedder } from './static-embedder.ts';
import { isHubName, loadTransformer, type TransformerSettings } from './transformer.ts';

export interface EmbeddingSettings extends TransformerSettings {
  readonly encoder: EncoderSettings;
}

/** What answers, and how that is called in logs and on terminals. */
export interface LoadedModel extends RetrievalModel {
  readonly answeredBy: string;
}

export interface LoadedEmbedder {
  readonly embedder: Embedder;
  /** Holds the model's files, and its retrieval.json where it has one. */
  readonly directory: string;
}

type Note = (message: string) => void;

/**
 * Loads the model that the settings name, with what retrieval needs to know about it.
 * @throws Error that says what is wrong with it
 */
export async function loadModel(settings: EmbeddingSettings, note: Note = () => {}): Promise<LoadedModel> {
  const [{ embedder, directory }, found] = await Promise.all([
    loadEmbedder(settings, note),
    loadEncoder(settings.model, settings.encoder, note),
  ]);
  const model = await loadRetrievalModel(directory, embedder);
  if (!model.calibrated) note(UNCALIBRATED);
  if ('absent' in found)
    return { ...model, answeredBy: `${embedder.tokens ? 'table alone' : 'transformer'} (${found.absent})` };
  return { ...model, encoder: await readEncoderPart(found.encoder, found.directory), answeredBy: 'table and encoder' };
}

const UNCALIBRATED =
  'the model has no retrieval.json: its similarities are not calibrated, good for an order but not for a threshold';

/**
 * Loads the model that the settings name: a directory with model.safetensors (Model2Vec) or with onnx/ (a transformer), else
 * a transformer of the hub.
 * @throws Error that says what is wrong with it
 */
export async function loadEmbedder(settings: EmbeddingSettings, note: Note = () => {}): Promise<LoadedEmbedder> {
  const { model } = settings;
  if (!statSync(model, { throwIfNoEntry: false })?.isDirectory()) {
    if (isHubName(model)) return loadTransformer(settings, { note });
    throw new Error(`${model}: no such directory, and no model of the hub (org/name)`);
  }
  if (await isModel2Vec(model)) return { embedder: await loadStaticEmbedder(model), directory: model };
  if (existsSync(join(model, 'onnx'))) return loadTransformer(settings);
  throw new Error(`${model}: holds neither model.safetensors (a Model2Vec model) nor onnx/ (a transformer)`);
}

const ModelConfig = z.object({ model_type: z.string() });

/** Published models of both kinds may hold the files of both. */
async function isModel2Vec(directory: string): Promise<boolean> {
  const holds = (name: string) => existsSync(join(directory, name));
  if (!holds('model.safetensors') || !holds('onnx')) return holds('model.safetensors');
  const config = ModelConfig.safeParse(JSON.parse(await readFile(join(directory, 'config.json'), 'utf8')));
  return config.success && config.data.model_type === 'model2vec';
}
