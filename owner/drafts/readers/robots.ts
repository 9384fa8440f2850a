/** Whether a path with its query may be read. */
export type Allows = (path: string) => boolean;

interface Rule {
  readonly allow: boolean;
  readonly pattern: string;
}

/**
 * What a robots.txt allows a reader of this name (RFC 9309): its own group, else that of everybody; the longest rule that fits
 * decides, and of two as long the one that allows. Rules for other readers are not kept, and each rule once.
 */
export function readRobots(text: string, name: string): Allows {
  const rules = rulesFor(text, name) ?? rulesFor(text, '*') ?? [];
  return path => rules.find(({ pattern }) => fits(path, pattern))?.allow ?? true;
}

/** The rules of one reader, the deciding ones first; undefined where no group names it. */
function rulesFor(text: string, name: string): readonly Rule[] | undefined {
  const rules = new Map<string, boolean>();
  let [known, names, begun] = [false, false, false];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const member = field.toLowerCase();
    const pattern = value.trim();
    if (member === 'user-agent') {
      names = (names && !begun) || pattern.toLowerCase() === name;
      known ||= names;
      begun = false;
    } else if (member === 'allow' || member === 'disallow') {
      begun = true;
      if (names && pattern !== '') rules.set(pattern, member === 'allow' || rules.get(pattern) === true);
    }
  }
  const ordered = [...rules].map(([pattern, allow]) => ({ pattern, allow }));
  const isLonger = (a: Rule, b: Rule) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow);
  return known ? ordered.sort(isLonger) : undefined;
}

/** `*` stands for any characters and `$` for the end. Pieces are looked for in turn, so that no pattern takes long. */
function fits(path: string, pattern: string): boolean {
  const toEnd = pattern.endsWith('$');
  const [first = '', ...others] = (toEnd ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [nth, piece] of others.entries()) {
    const last = toEnd && nth === others.length - 1;
    const found = last ? (path.endsWith(piece) ? path.length - piece.length : -1) : path.indexOf(piece, at);
    if (found < at) return false;
    at = found + piece.length;
  }
  return !toEnd || at === path.length;
}
