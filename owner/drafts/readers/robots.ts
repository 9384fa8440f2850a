/** Whether a path with its query may be read. */
export type Allows = (path: string) => boolean;

interface Rule {
  readonly allow: boolean;
  readonly pattern: string;
}

/**
 * What a robots.txt allows a reader of this name (RFC 9309): its own group, else that of everybody; the longest rule that fits
 * decides, and of two as long the one that allows.
 */
export function readRobots(text: string, name: string): Allows {
  const groups = groupsOf(text);
  const rules = groups.get(name) ?? groups.get('*') ?? [];
  return path => {
    const fitting = rules.filter(({ pattern }) => fits(path, pattern));
    const longest = Math.max(...fitting.map(({ pattern }) => pattern.length));
    const deciding = fitting.filter(({ pattern }) => pattern.length === longest);
    return deciding.length === 0 || deciding.some(({ allow }) => allow);
  };
}

function groupsOf(text: string): Map<string, Rule[]> {
  const groups = new Map<string, Rule[]>();
  let [agents, begun]: [string[], boolean] = [[], false];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? [];
    const member = field.toLowerCase();
    if (member === 'user-agent') {
      agents = begun ? [value.trim().toLowerCase()] : [...agents, value.trim().toLowerCase()];
      begun = false;
      for (const agent of agents) groups.set(agent, groups.get(agent) ?? []);
    } else if (member === 'allow' || member === 'disallow') {
      begun = true;
      const pattern = value.trim();
      if (pattern !== '') for (const agent of agents) groups.get(agent)?.push({ allow: member === 'allow', pattern });
    }
  }
  return groups;
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
