import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Encoder } from './encoder.ts';
import { openPool, RuntimeMissing } from './thread-pool.ts';

export const ENCODER_USES = ['auto', 'on', 'off'] as const;

/** The settings ENCODER and ENCODER_THREADS. */
export interface EncoderSettings {
  /** `auto`: where the model has an encoder and its runtime is installed. */
  readonly use: (typeof ENCODER_USES)[number];
  readonly threads?: number | undefined;
}

/** An encoder, or in words why there is none. */
export type FoundEncoder = { readonly encoder: Encoder; readonly directory: string } | { readonly absent: string };

/** A session takes much memory: one pool a process, whoever asks. */
const pools = new Map<string, Promise<Encoder>>();

/**
 * Opens the encoder beside the table of a model directory: its folder `encoder/`.
 * @throws Error where its files are damaged, and with `on` where there is none
 */
export async function loadEncoder(
  model: string,
  { use, threads = Math.max(1, availableParallelism() - 1) }: EncoderSettings,
  note: (message: string) => void = () => {},
): Promise<FoundEncoder> {
  if (use === 'off') return { absent: 'ENCODER=off' };
  const directory = join(model, 'encoder');
  if (!existsSync(directory)) return missing(use, 'the model has no folder encoder/');
  const key = `${directory}\n${threads}`;
  const pool = pools.get(key) ?? openPool(directory, { threads, note });
  pools.set(key, pool);
  try {
    return { encoder: await pool, directory };
  } catch (error) {
    pools.delete(key);
    if (error instanceof RuntimeMissing) return missing(use, error.message);
    throw error;
  }
}

function missing(use: EncoderSettings['use'], reason: string): FoundEncoder {
  if (use === 'on') throw new Error(`ENCODER=on, but ${reason}. Or set ENCODER=auto.`);
  return { absent: reason };
}
