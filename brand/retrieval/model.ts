import type { Embedder } from './brand.ts';
import { type ModelSource, openEncoder, type TransformerSource } from './encoder.ts';
import { BUNDLED_MODEL, type Parameters, readParameters } from './similarity.ts';

/** The settings of the model. */
export interface EmbeddingSettings extends Omit<TransformerSource, 'model'> {
  /** A model for @huggingface/transformers. Absent: the bundled one. */
  readonly model?: string | undefined;
  readonly threads?: number | undefined;
}

/** An embedder, and what makes its scores a chance. */
export interface RetrievalModel {
  readonly embedder: Embedder;
  /** Absent where the model is not calibrated. */
  readonly parameters?: Parameters | undefined;
  /** What answers, in words for logs and terminals. */
  readonly answeredBy: string;
}

/** A session takes 100 MB: one a process and model, whoever asks for it. */
const models = new Map<string, Promise<RetrievalModel>>();

/**
 * Opens the model that the settings name.
 * @throws Error that says what is wrong with it, or what to install
 * @example const model = await openModel({ cacheDirectory });
 */
export function openModel(settings: EmbeddingSettings): Promise<RetrievalModel> {
  // The directories of a downloaded model say nothing of the bundled one.
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
 * Stops all models. To be called before the process ends: where a thread is within the runtime then, the
 * process is aborted (SIGABRT).
 */
export async function closeModels(): Promise<void> {
  const opened = await Promise.allSettled(models.values());
  await Promise.all(opened.map(result => result.status === 'fulfilled' && result.value.embedder.close()));
}
