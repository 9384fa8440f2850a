/**
 * The port between retrieval and a model that reads a text as a whole (model/encoder/README.md). It reads in threads of its own:
 * onnxruntime-node computes synchronously, and would stop the event loop.
 */
export interface Encoder {
  /** Names the model's files: only vectors of one digest can be compared. */
  readonly digest: string;
  /**
   * The unit vector of a question.
   * @param asker whoever has used the encoder least comes first
   * @throws EncoderBusy where too many questions wait, Error where the model fails
   */
  ask(question: string, asker: string): Promise<Float32Array>;
  /**
   * Unit vectors of texts, in order, while no question waits.
   * @param read told after each text
   * @throws Error where the model fails
   */
  read(texts: readonly string[], role: Role, read?: () => void): Promise<Float32Array[]>;
}

export type Role = 'claim' | 'question';

/** More questions wait than can be answered soon. */
export class EncoderBusy extends Error {
  /** Whole seconds after which a question will find room. */
  readonly waitSeconds: number;

  constructor(waitSeconds: number) {
    super('too many questions wait for the encoder');
    this.name = 'EncoderBusy';
    this.waitSeconds = waitSeconds;
  }
}

/** Where vectors of claims outlive the process. */
export interface KeptVectors {
  /** The vectors that are kept, by key. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  keep(vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
}
