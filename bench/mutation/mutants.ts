import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One place of the code, broken. */
export interface Mutant {
  /** Relative to the checkout. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

type Break = readonly [from: RegExp, to: string | ((found: string) => string)];

/** What a break is: one spelling for another. Spaces around an operator keep types, arrows and strings of markup out. */
const BREAKS: readonly Break[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \?\? /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/\bMath\.min\(/g, 'Math.max('],
  [/\bMath\.max\(/g, 'Math.min('],
  [/\bif \(!?/g, 'if (true || '],
  [/\bawait (?=[\w.]+\()/g, 'void '],
  // A number in the code, not in a text: the next one.
  [/(?<=[ ([])\d[\d_]*(?=[,;)\] ])/g, number => String(Number(number.replaceAll('_', '')) + 1)],
  // A statement of one line that is a call: nothing.
  [/^ +(?:await )?[\w.#]+\(.*\);$/g, ''],
];

/** Every break of the files of a folder, without its subfolders. */
export function mutantsOf(checkout: string, room: string): Mutant[] {
  const files = readdirSync(join(checkout, room), { withFileTypes: true }).filter(entry => entry.isFile());
  return files.flatMap(({ name }) => {
    const file = `${room}/${name}`;
    const lines = readFileSync(join(checkout, file), 'utf8').split('\n');
    return lines.flatMap((before, at) =>
      isCode(before) ? breaksOf(before).map(after => ({ file, line: at + 1, before, after })) : [],
    );
  });
}

/** Comments, imports, types and lines of text do nothing. */
function isCode(line: string): boolean {
  return !/^\s*(\/\/|\/?\*|['`]|import |export type |type |readonly |\| )/.test(line);
}

function breaksOf(line: string): string[] {
  const code = line.replace(/'[^']*'|"[^"]*"/g, text => '_'.repeat(text.length));
  return BREAKS.flatMap(([from, to]) =>
    [...code.matchAll(from)].map(({ index, 0: found }) => {
      const broken = typeof to === 'string' ? to : to(found);
      return line.slice(0, index) + broken + line.slice(index + found.length);
    }),
  );
}

/** The same ones for the same seed, spread over the room (Knuth's multiplicative hash orders them). */
export function sampled(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const order = (at: number) => Math.imul(at + seed, 2_654_435_761) >>> 0;
  return mutants
    .map((mutant, at) => ({ mutant, order: order(at) }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
