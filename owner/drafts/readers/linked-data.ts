import * as z from 'zod';
import { jsonOrNothing } from '../../../brand/profile/strict-json.ts';
import { readMarkup } from './markup.ts';
import { type About, type Answered, oneLine } from './reading.ts';

/** Deeper data is no FAQ. */
const MAX_DEPTH = 12;

const Node = z.record(z.string(), z.unknown());
const Text = z.string();

/**
 * Questions and names in schema.org JSON-LD; what is no JSON says nothing. https://schema.org/FAQPage
 * @throws DraftError for HTML of more than 2,000 open elements in a question or an answer
 */
export function linkedData(source: string, json: string): { questions: Answered[]; about: About } {
  const nodes = [...nodesIn(jsonOrNothing(json), 0)];
  const questions = nodes.filter(node => isA(node, /^Question$/)).flatMap(node => questionOf(source, node));
  const brand = nodes.find(node => isA(node, /Organization|Business|Clinic|Store|Service$/));
  const text = (name: string) => oneLine(Text.safeParse(brand?.[name]).data ?? '') || undefined;
  const about = Object.fromEntries(
    ['name', 'description', 'email', 'telephone'].flatMap(name => {
      const value = text(name)?.replace(/^mailto:/i, '');
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { questions, about };
}

function* nodesIn(value: unknown, depth: number): Generator<Record<string, unknown>> {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
  const node = Array.isArray(value) ? undefined : Node.safeParse(value).data;
  if (node) yield node;
  for (const inner of Object.values(value)) yield* nodesIn(inner, depth + 1);
}

const isA = (node: Record<string, unknown>, type: RegExp) =>
  [node['@type']].flat().some(name => typeof name === 'string' && type.test(name));

function questionOf(source: string, node: Record<string, unknown>): Answered[] {
  const [answer] = [node.acceptedAnswer].flat();
  const question = oneLine(plainText(source, Text.safeParse(node.name).data ?? ''));
  const text = plainText(source, Text.safeParse(Node.safeParse(answer).data?.text).data ?? '');
  return question === '' || oneLine(text) === '' ? [] : [{ question, answer: text }];
}

/** An answer in JSON-LD may hold HTML. Elements become line ends, so that two of them are not one word. */
function plainText(source: string, text: string): string {
  let plain = '';
  readMarkup(source, text, {
    ontext: piece => {
      plain += piece;
    },
    onopentag: name => {
      plain += INLINE.has(name) ? '' : '\n';
    },
  });
  return plain;
}

const INLINE = new Set(['a', 'b', 'em', 'i', 'small', 'span', 'strong', 'u']);
