import { unzipSync } from 'fflate';
import { asked } from './html.ts';
import { readMarkup } from './markup.ts';
import { type Block, DraftError, MAX_BLOCKS, MAX_SOURCE_BYTES, oneLine, type Reading } from './reading.ts';

const TEXT = 'word/document.xml';

/** Reads the text of a Word document: paragraphs, headings by their style, the cells of a row as one line. @throws DraftError */
export function readDocx(source: string, bytes: Uint8Array): Reading {
  const body = new Body();
  readMarkup(source, new TextDecoder().decode(unpacked(source, bytes)), body, true);
  return { source, blocks: body.blocks, questions: asked(body.blocks), links: [], about: {} };
}

/** Only the text is unpacked, into no more memory than the archive says it needs. */
function unpacked(source: string, bytes: Uint8Array): Uint8Array {
  let tooLarge = false;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (name === TEXT && originalSize > MAX_SOURCE_BYTES) tooLarge = true;
        return name === TEXT && !tooLarge;
      },
    });
    const text = files[TEXT];
    if (text) return text;
  } catch (error) {
    throw new DraftError(`${source}: is no Word document: save it as .docx again`, { cause: error });
  }
  const why = tooLarge
    ? `holds more than ${MAX_SOURCE_BYTES / 1024 / 1024} MB of text: split the document`
    : 'is no Word document: save it as .docx again';
  throw new DraftError(`${source}: ${why}`);
}

class Body {
  readonly blocks: Block[] = [];
  #line = '';
  #cells: string[] | undefined;
  #heading = false;
  #inText = false;

  onopentag(name: string, attributes: Record<string, string>): void {
    if (name === 'w:t') this.#inText = true;
    if (name === 'w:tab' || name === 'w:br') this.#line += ' ';
    if (name === 'w:tr') this.#cells = [];
    if (name === 'w:pStyle')
      this.#heading = /^(?:heading|title|t[ií]tulo|ttulo|encabezado)/i.test(attributes['w:val'] ?? '');
  }

  ontext(text: string): void {
    if (this.#inText) this.#line += text;
  }

  onclosetag(name: string): void {
    if (name === 'w:t') this.#inText = false;
    if (name === 'w:p') this.#paragraph();
    if (name === 'w:tr') this.#row();
  }

  #paragraph(): void {
    const text = oneLine(this.#line);
    this.#line = '';
    if (text === '') return;
    if (this.#cells) this.#cells.push(text);
    else this.#add({ kind: this.#heading ? 'heading' : 'text', text });
    this.#heading = false;
  }

  #row(): void {
    const text = (this.#cells ?? []).join(': ');
    this.#cells = undefined;
    if (text !== '') this.#add({ kind: 'text', text });
  }

  #add(block: Block): void {
    if (this.blocks.length < MAX_BLOCKS) this.blocks.push(block);
  }
}
