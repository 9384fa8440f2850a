import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DownloadOptions, download as downloadFile } from './download.ts';
import { DTYPES, type Dtype, ONNX_FILES } from './transformer-embedder.ts';

export interface HubOptions {
  /** Where downloaded models stay. */
  readonly cacheDirectory: string;
  /** Whether the network may be used for a model that is not there yet. */
  readonly download: boolean;
  /** Default: the first of `ONNX_FILES` that the hub has. */
  readonly dtype?: Dtype | undefined;
  /** Told, in a sentence, what an operator waits for. */
  readonly note?: (message: string) => void;
  /** Tests bring a hub of their own and less patience. */
  readonly hub?: string;
  readonly times?: typeof TIMES;
}

const HUB = 'https://huggingface.co';
const TIMES = { stallMs: 20_000, totalMs: 1_800_000, noteMs: 10_000 };

/** `org/name`, or `org/name@revision` for a model that must not change under its name. */
const NAME = /^([A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*)(?:@([A-Za-z0-9][\w.-]*))?$/;

export function isHubName(model: string): boolean {
  return NAME.test(model);
}

export async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/**
 * The directory of a model of huggingface.co, downloaded where that is allowed and it is not there yet. What stands in the
 * cache under its name is complete, and is used without a request.
 * @throws Error that says what to do, or which address failed and why
 */
export async function fetchHubModel(model: string, options: HubOptions): Promise<string> {
  const { cacheDirectory, dtype, note = () => {}, hub = HUB, times = TIMES } = options;
  const [, name = '', revision = 'main'] = NAME.exec(model) ?? [];
  const directory = join(cacheDirectory, `${name}@${revision}${dtype ? `-${dtype}` : ''}`);
  if (await isDirectory(directory)) return directory;
  if (!options.download) {
    throw new Error(`${model}: no such directory; as a model of ${hub} it is fetched with EMBEDDING_DOWNLOAD=1`);
  }
  note(`downloading the model ${model} from ${hub}`);
  await mkdir(dirname(directory), { recursive: true });
  const unfinished = await mkdtemp(`${directory}.part-`);
  const settings: DownloadOptions = { ...times, note, signal: AbortSignal.timeout(times.totalMs) };
  const fetchFile = (file: string) =>
    downloadFile(`${hub}/${name}/resolve/${revision}/${file}`, join(unfinished, file), settings);
  try {
    await fetchFiles(fetchFile, dtype ? [dtype] : DTYPES, unfinished);
    await rename(unfinished, directory);
  } catch (cause) {
    if (await isDirectory(directory)) return directory; // another process was faster
    throw new Error(`The model ${model} cannot be downloaded: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return directory;
}

type FetchFile = (file: string) => Promise<boolean>;

async function fetchFiles(fetchFile: FetchFile, dtypes: readonly Dtype[], directory: string): Promise<void> {
  for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) {
    if (!(await fetchFile(file))) throw new Error(`the hub has no ${file} of it`);
  }
  await mkdir(join(directory, 'onnx'));
  for (const dtype of dtypes) {
    const file = `onnx/${ONNX_FILES[dtype]}`;
    if (!(await fetchFile(file))) continue;
    await fetchFile(`${file}_data`); // where the weights of a large model are
    return;
  }
  throw new Error(`the hub has none of ${dtypes.map(dtype => `onnx/${ONNX_FILES[dtype]}`).join(', ')} of it`);
}
