import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** The path is a pipe or a device, or there are more bytes than allowed. */
class BoundError extends Error {
  override readonly name = 'BoundError';
}

/**
 * Reads a file that may be huge or grow while it is read: at most `mostBytes`.
 * @throws BoundError for a longer file, a pipe and a device (/dev/zero); an error of the file system
 * @example const bytes = await readBounded('brand.json', MAX_PROFILE_BYTES);
 */
export async function readBounded(path: string, mostBytes: number): Promise<Buffer> {
  // Without O_NONBLOCK, opening a pipe waits for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = await file.stat();
    if (!status.isFile() && !status.isDirectory())
      throw new BoundError(`${path} is a pipe or a device, not a file`);
    return await boundedBytes(
      file.createReadStream({ highWaterMark: 1 << 20, autoClose: false }),
      mostBytes,
      path,
    );
  } finally {
    await file.close();
  }
}

/**
 * Reads a stream to its end.
 * @param name of the stream, for the error
 * @throws BoundError once there are more than `mostBytes`
 */
export async function boundedBytes(
  stream: AsyncIterable<Uint8Array>,
  mostBytes: number,
  name: string,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > mostBytes)
      throw new BoundError(`${name} is larger than ${mostBytes >> 20} MB: is it the right one?`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
