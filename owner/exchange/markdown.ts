import type { Heading, ListItem, Nodes, Paragraph, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toMarkdown } from 'mdast-util-to-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { jsonOrNothing } from '../../brand/profile/strict-json.ts';
import { COLUMNS, type Column, columnOf, headingsIn, plain } from './columns.ts';
import { decode, type Exported, type Imported } from './imported.ts';
import { readSheets, type Sheet, writeRows } from './rows.ts';

/**
 * Reads a text with a heading a claim and a list of "label: text" below it, the labels being the headings of COLUMNS. The heading
 * is the statement; below a first heading "Proofs" (Pruebas) it is the title of a proof. @throws ExchangeError
 */
export function readMarkdown(bytes: Uint8Array): Imported {
  const entries = entriesOf(fromMarkdown(decode(bytes)));
  const labels = [...new Set(entries.flatMap(({ cells }) => [...cells.keys()]))];
  const sheet = (rows: readonly Entry[]): Sheet => ({
    name: '',
    headings: labels.filter(label => rows.some(({ cells }) => cells.has(label))),
    rows: rows.map(({ cells, line }) => ({
      cells: labels.filter(label => rows.some(other => other.cells.has(label))).map(label => cells.get(label)),
      place: `line ${line}`,
    })),
  });
  const read = readSheets([
    sheet(entries.filter(({ part }) => part === 'claim')),
    sheet(entries.filter(({ part }) => part === 'proof')),
  ]);
  return { ...read, notes: [...read.notes, ...entries.flatMap(({ unread }) => unread)] };
}

/** One claim or proof: its heading and the labels below. */
interface Entry {
  readonly part: Column['part'];
  readonly line: number;
  readonly cells: Map<string, string>;
  /** What stands below it and is not read. */
  readonly unread: string[];
}

const PROOFS = ['proofs', 'pruebas'];
const TITLE = { claim: 'statement', proof: 'proof title' } as const;

function entriesOf({ children }: Root): Entry[] {
  const entries: Entry[] = [];
  let part: Column['part'] = 'claim';
  for (const node of children) {
    if (node.type === 'heading' && node.depth === 1) part = PROOFS.includes(plain(textOf(node))) ? 'proof' : 'claim';
    else if (node.type === 'heading') {
      entries.push({
        part,
        line: node.position?.start.line ?? 0,
        cells: new Map([[TITLE[part], carriedIn(node.children)]]),
        unread: [],
      });
    } else {
      const read = labelled(node);
      for (const [label, value] of read) entries.at(-1)?.cells.set(label, value);
      if (read.length === 0 && node.type !== 'thematicBreak') entries.at(-1)?.unread.push(unreadNote(node));
    }
  }
  return entries;
}

/** Prose says nothing to a reader of labels: whoever wrote it is told. */
function unreadNote(node: RootContent): string {
  const text = textOf(node).replace(/\s+/g, ' ').slice(0, 60);
  return `line ${node.position?.start.line ?? 0}: not read: “${text}”; write it as "- label: text"`;
}

/** The items of a list as label and text; anything else says nothing. */
function labelled(node: RootContent): [string, string][] {
  if (node.type !== 'list') return [];
  return node.children.flatMap(item => {
    const [first] = item.children;
    if (first?.type !== 'paragraph') return [];
    const [label = '', text] = split(textOf(first));
    return text === undefined ? [] : [[written(label), carriedIn(first.children, label)]];
  });
}

const split = (text: string) => /^([^:\n]{1,60}):(.*)$/s.exec(text)?.slice(1) ?? [];

/** The heading under which a column is written, so that "Se aplica a" and "applies to" are one. */
const written = (label: string) => columnOf(label)?.en ?? label;

/** The text, or what an inline code holds as JSON: a text that Markdown cannot carry as it is. */
function carriedIn(children: readonly Nodes[], label?: string): string {
  const code = children.at(-1);
  const before = textOf(children.slice(0, -1)).trim();
  if (
    code?.type === 'inlineCode' &&
    code.value.startsWith('"') &&
    before === (label === undefined ? '' : `${label}:`)
  ) {
    return String(jsonOrNothing(code.value) ?? code.value);
  }
  const text = textOf(children).replace(/\s*\n\s*/g, ' ');
  return label === undefined ? text : text.slice(label.length + 1).trim();
}

/** A heading a claim, the labels below it; the proofs under a heading of their own. */
export function writeMarkdown({ claims, proofs, language }: Exported): string {
  const [spanish, labels] = [/^es\b/i.test(language), headingsIn(language)];
  const children = [
    heading(1, spanish ? 'Afirmaciones' : 'Claims'),
    ...writeRows(claims, 'claim').flatMap(row => entry(row, { title: 'statement', labels })),
    heading(1, spanish ? 'Pruebas' : 'Proofs'),
    ...writeRows(proofs, 'proof').flatMap(row => entry(row, { title: 'title', labels })),
  ];
  return toMarkdown({ type: 'root', children }, { bullet: '-', rule: '-' });
}

function entry(row: readonly string[], { title, labels }: { title: string; labels: readonly string[] }): RootContent[] {
  const at = COLUMNS.findIndex(({ path }) => path[0] === title);
  const items = row.flatMap((cell, column) => (cell === '' || column === at ? [] : item(labels[column] ?? '', cell)));
  return [heading(2, row[at] ?? ''), { type: 'list', spread: false, ordered: false, children: items }];
}

const heading = (depth: 1 | 2, text: string): Heading => ({ type: 'heading', depth, children: [carried(text)] });

function item(label: string, text: string): ListItem {
  const paragraph: Paragraph = { type: 'paragraph', children: [{ type: 'text', value: `${label}: ` }, carried(text)] };
  return { type: 'listItem', spread: false, children: [paragraph] };
}

/** As text where Markdown gives the same text back, else as JSON in inline code. */
function carried(text: string): Paragraph['children'][number] {
  const source = toMarkdown({ type: 'paragraph', children: [{ type: 'text', value: `x: ${text}` }] });
  const isPlain = !/[\n]| {2}/.test(text) && !text.startsWith('"') && textOf(fromMarkdown(source)) === `x: ${text}`;
  return isPlain ? { type: 'text', value: text } : { type: 'inlineCode', value: JSON.stringify(text) };
}
