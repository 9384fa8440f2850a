import { once } from 'node:events';
import { type EmbeddingSettings, loadModel } from '../../brand/embedding/load-embedder.ts';
import { keysBeside } from '../../brand/trust/keys.ts';
import { startPreview } from '../studio/preview-server.ts';
import { type ExitCode, type Output, writeLines } from '../terminal/output.ts';

interface PreviewOptions {
  readonly questions?: string;
  readonly port: number;
  readonly embedding: EmbeddingSettings;
}

/** `aval preview FILE`: the draft as a page of this machine, until the command is interrupted. @throws Error for a file or a port that cannot be had */
export async function preview(
  file: string,
  { questions, port, embedding }: PreviewOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const note = (message: string) => writeLines(stderr, [message]);
  const model = await loadModel(embedding);
  const { url, close } = await startPreview({
    files: { profile: file, questions, jwks: keysBeside(file) },
    model,
    port,
    note,
  });
  writeLines(stdout, [url]);
  writeLines(stderr, ['Open it in a browser of this computer; it reloads when the file is saved. Ctrl-C ends it.']);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await close();
  return 0;
}
