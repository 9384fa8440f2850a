import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { asked } from './html.ts';
import { type Block, DraftError, MAX_BLOCKS, oneLine, type Reading } from './reading.ts';

/** What a page of text needs, many times over. A document of a few KB can ask for gigabytes, so a worker reads it. */
const BOUNDS = { pages: 300, milliseconds: 60_000, growthBytes: 768 * 1024 * 1024 };

/** One piece of text as it stands on a page: where it begins and ends, where its line is, and how tall its letters are. */
const Piece = z.object({
  ...{ text: z.string(), page: z.number(), height: z.number() },
  ...{ x: z.number(), right: z.number(), y: z.number() },
});
const Message = z.union([z.object({ pieces: z.array(Piece) }), z.object({ fault: z.string() })]);
type Piece = z.infer<typeof Piece>;

/** JavaScript of PDF forms and fonts is not evaluated; nothing is fetched. */
const READER = `
const { parentPort, workerData } = require('node:worker_threads');
import(workerData.reader).then(async ({ getDocumentProxy }) => {
  const options = { isEvalSupported: false, useSystemFonts: false, stopAtErrors: false, verbosity: 0 };
  const document = await getDocumentProxy(workerData.bytes, options);
  const pieces = [];
  for (let number = 1; number <= Math.min(document.numPages, workerData.pages); number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    for (const { str, transform: [, , , , x, y], width, height, hasEOL } of items)
      if (str) pieces.push({ text: str, x, y, right: x + width, height, page: number });
      else if (hasEOL) pieces.push({ text: ' ', x, y, right: x, height: 0, page: number });
    page.cleanup();
  }
  parentPort.postMessage({ pieces });
}).catch(error => parentPort.postMessage({ fault: String(error && error.message) }));
`;

/** Reads the text of a PDF, in lines that belong together. A scan has no text and is refused. @throws DraftError */
export async function readPdf(source: string, bytes: Uint8Array, bounds = BOUNDS): Promise<Reading> {
  const pieces = await piecesOf(source, bytes, bounds);
  const blocks = blocksOf(pieces);
  if (blocks.length === 0) {
    throw new DraftError(
      `${source}: has no text, so it is a scan: run a text recognition over it, or name the original`,
    );
  }
  return { source, blocks, questions: asked(blocks), links: [], about: {} };
}

async function piecesOf(source: string, bytes: Uint8Array, bounds: typeof BOUNDS): Promise<Piece[]> {
  const reader = readerOf(source);
  const before = process.memoryUsage().rss;
  const worker = new Worker(READER, {
    eval: true,
    workerData: { reader, bytes: Uint8Array.from(bytes), pages: bounds.pages },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    // What a broken document makes the package say is for nobody.
    ...{ stdout: true, stderr: true, execArgv: [] },
  });
  let timer: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  try {
    const read = await new Promise<z.infer<typeof Message>>((resolve, reject) => {
      const refuse = (why: string) => reject(new DraftError(`${source}: ${why}: print it to a new PDF`));
      worker.on('message', message => resolve(Message.parse(message)));
      worker.on('error', () => refuse('takes more memory than a brochure needs'));
      worker.on('exit', () => refuse('cannot be read'));
      timer = setTimeout(() => refuse('takes longer than a brochure does'), bounds.milliseconds);
      // Buffers do not count for the worker's own limit.
      watch = setInterval(() => {
        if (process.memoryUsage().rss - before > bounds.growthBytes) refuse('takes more memory than a brochure needs');
      }, 100);
    });
    if ('pieces' in read) return read.pieces;
    const locked = /password/i.test(read.fault);
    throw new DraftError(
      `${source}: ${locked ? 'is locked with a password: save it without one' : 'is no PDF that can be read: print it to a new PDF'}`,
    );
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    await worker.terminate();
  }
}

/** The package is optional: it is 2 MB, and few read a PDF. */
function readerOf(source: string): string {
  try {
    return import.meta.resolve('unpdf');
  } catch (error) {
    throw new DraftError(`${source}: reading a PDF needs a package: npm install unpdf@1.4.0`, { cause: error });
  }
}

/** Lines of one height that follow each other closely are one text; larger letters make a heading. */
function blocksOf(pieces: readonly Piece[]): Block[] {
  const heights = pieces.filter(({ text }) => text.trim() !== '').map(({ height }) => height);
  const usual = heights.toSorted((a, b) => a - b)[heights.length >> 1] ?? 0;
  const right = pieces.reduce((most, piece) => Math.max(most, piece.right), 0);
  const blocks: Block[] = [];
  let lines: Piece[] = [];
  let last: Piece | undefined;
  const end = () => {
    const text = oneLine(lines.map(({ text }) => text).join(' '));
    const height = lines.reduce((most, piece) => Math.max(most, piece.height), 0);
    lines = [];
    if (text === '' || blocks.length >= MAX_BLOCKS) return;
    blocks.push({ kind: height > usual * HEADING && text.length < 150 ? 'heading' : 'text', text });
  };
  for (const piece of pieces) {
    if (piece.height > 0 && last && startsAnew(last, piece, right)) end();
    lines.push(piece);
    if (piece.height > 0) last = piece;
  }
  end();
  return blocks;
}

/** Letters of a heading, and the gap between two paragraphs, as multiples of the text's height. */
const [HEADING, GAP] = [1.15, 1.7];

/** A line that ends before this share of the width ends its paragraph, where the next begins as a sentence does. */
const FULL = 0.75;

function startsAnew(last: Piece, next: Piece, right: number): boolean {
  if (last.page !== next.page || Math.abs(last.height - next.height) > 0.5) return true;
  const down = last.y - next.y;
  if (down < -last.height || down > last.height * GAP) return true;
  if (down < last.height / 2) return false;
  return /^[•·▪◦‣–-]\s?/u.test(next.text) || (last.right < right * FULL && /^[\p{Lu}\p{N}¿¡]/u.test(next.text));
}
