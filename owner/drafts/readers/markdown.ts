import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { asked } from './html.ts';
import { type Block, DraftError, MAX_BLOCKS, oneLine, type Reading } from './reading.ts';

/** Larger notes are split: the parser takes minutes where thousands of quotes stand in each other. */
const MAX_CHARACTERS = 2_000_000;

/** The parser is quadratic in a paragraph: a longer one is read as several. */
const MAX_PARAGRAPH = 2000;

/** Reads Markdown and plain text. @throws DraftError */
export function readMarkdown(source: string, text: string): Reading {
  if (text.length > MAX_CHARACTERS) throw new DraftError(`${source}: is longer than 2 million characters: split it`);
  // The parser would walk a deep nest of quotes and lists with one call a level; no brochure has eight.
  const flat = text.replace(/^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)](?!\d))){8,}/gm, '');
  const blocks = [...blocksIn(fromMarkdown(shortParagraphs(flat)), 0)].slice(0, MAX_BLOCKS);
  return { source, blocks, questions: asked(blocks), links: [], about: {} };
}

function shortParagraphs(text: string): string {
  let length = 0;
  const lines = text.split('\n').flatMap(line => line.match(LINE) ?? ['']);
  const apart = lines.map(line => {
    length = line.trim() === '' ? 0 : length + line.length;
    if (length <= MAX_PARAGRAPH) return line;
    length = line.length;
    return `\n${line}`;
  });
  return apart.join('\n');
}

/** A line, or so much of it as a paragraph may have, to the end of a word. */
const LINE = new RegExp(`.{1,${MAX_PARAGRAPH}}(?:\\s|$)|.{1,${MAX_PARAGRAPH}}`, 'g');

type Node = Parameters<typeof textOf>[0];

function* blocksIn(node: Node, depth: number): Generator<Block> {
  if (typeof node !== 'object' || node === null || !('type' in node) || depth > 20) return;
  if (node.type === 'code' || node.type === 'html') return;
  const isHeading = node.type === 'heading';
  if (isHeading || node.type === 'paragraph') {
    const text = oneLine(textOf(node, { includeHtml: false }));
    if (text !== '') yield { kind: isHeading ? 'heading' : 'text', text };
  } else if ('children' in node && Array.isArray(node.children)) {
    for (const child of node.children) yield* blocksIn(child, depth + 1);
  }
}
