import type { Embedder } from './brand.ts';
import { type ModelSource, openEncoder, type TransformerSource } from './encoder.ts';
import { BUNDLED_MODEL, type Parameters, readParameters } from './similarity.ts';

/** The settings of the model. */
export interface EmbeddingSettings extends Omit<TransformerSource, 'model'> {
  /** A model for @huggingface/transformers. Absent: the bundled one. */
  readonly model?: string | undefined;
  readonly threads?: number | undefined;
}

/** An embedder, and the parameters that turn its scores into a chance. */
export interface RetrievalModel {
  readonly embedder: Embedder;
  /** Absent if the model is not calibrated. */
  readonly parameters?: Parameters | undefined;
  /** Name of the model, for logs and terminals. */
  readonly answeredBy: string;
}

/** The opened models of this process. A session takes 100 MB, so each model is opened once. */
const models = new Map<string, Promise<RetrievalModel>>();

/**
 * Opens the model that the settings name.
 * @throws Error that says what is wrong with it, or what to install
 * @example const model = await openModel({ cacheDirectory });
 */
export function openModel(settings: EmbeddingSettings): Promise<RetrievalModel> {
  // The bundled model does not depend on the settings of downloaded ones.
  const { model, threads } = settings;
  const key = model === undefined ? `bundled ${threads}` : JSON.stringify(settings);
  const opening = models.get(key) ?? open(settings);
  models.set(key, opening);
  opening.catch(() => models.delete(key));
  return opening;
}

async function open({ model, threads, ...settings }: EmbeddingSettings): Promise<RetrievalModel> {
  const source: ModelSource = model === undefined ? { directory: BUNDLED_MODEL } : { model, ...settings };
  const { embedder, runtime } = await openEncoder(source, { threads });
  if (model === undefined)
    return { embedder, parameters: readParameters(), answeredBy: `the encoder (${runtime})` };
  return { embedder, answeredBy: `${model}, not calibrated` };
}

/**
 * Stops all models. Call it before the process ends: a thread that still computes would abort the process
 * (SIGABRT).
 */
export async function closeModels(): Promise<void> {
  const opened = await Promise.allSettled(models.values());
  await Promise.all(opened.map(result => result.status === 'fulfilled' && result.value.embedder.close()));
}
