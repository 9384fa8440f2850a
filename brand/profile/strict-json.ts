import { type Fault, jsonPath, quote, renderFault } from './fault.ts';

/** Deeper documents are refused: the canonical form and the schema are walked recursively. */
const MAX_DEPTH = 64;

/** The document is not JSON that every reader understands alike. */
export class JsonError extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(faults.map(renderFault).join('\n'));
    this.name = 'JsonError';
    this.faults = faults;
  }
}

/**
 * Reads JSON as I-JSON (RFC 7493), which RFC 8785 demands: where two parsers could read one text differently, a signature
 * would not say which reading was signed. `JSON.parse` keeps the last of two equal names, passes lone surrogates and rounds integers.
 * @throws JsonError with every duplicate name, lone surrogate and unsafe number, or with the first error of syntax,
 * of UTF-8, a byte order mark, or nesting beyond 64 levels.
 */
export function readStrictJson(bytes: Uint8Array): unknown {
  const reader = new Reader(decode(bytes));
  const value = reader.document();
  if (reader.faults.length > 0) throw new JsonError(reader.faults);
  return value;
}

function decode(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (!text.startsWith('\uFEFF')) return text;
  throw new JsonError([
    { path: '', message: 'begins with a byte order mark', fix: 'save the file as UTF-8 without BOM' },
  ]);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new JsonError([{ path: '', message: 'is not UTF-8', fix: 'save the file as UTF-8' }]);
  }
}

class Reader {
  readonly faults: Fault[] = [];
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value();
    if (this.#next() !== undefined) this.#fail('unexpected text after the end of the document');
    return value;
  }

  #value(): unknown {
    const first = this.#next();
    if (first === '"') return this.#string();
    if (first !== '{' && first !== '[') return this.#scalar();
    if (this.#path.length >= MAX_DEPTH) this.#fail(`nested deeper than ${MAX_DEPTH} levels`);
    this.#at += 1;
    return first === '{' ? this.#object() : this.#array();
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (let more = !this.#take('}'); more; more = this.#separator('}')) {
      if (this.#next() !== '"') this.#fail('expected a member name in double quotes');
      const name = this.#string();
      if (!this.#take(':')) this.#fail(`expected ":" after the name ${quote(name)}`);
      this.#path.push(name);
      if (Object.hasOwn(object, name)) this.#note('the same name twice in one object', 'keep one of the two');
      // An own `__proto__` is data to one library and a prototype to the next.
      if (name === '__proto__') this.#note('a name that libraries read differently', 'rename it');
      const value = this.#value();
      if (name !== '__proto__') object[name] = value;
      this.#path.pop();
    }
    return object;
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    for (let more = !this.#take(']'); more; more = this.#separator(']')) {
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
    }
    return array;
  }

  #string(): string {
    const start = this.#at;
    const { end, escaped } = this.#stringEnd();
    const token = this.#text.slice(start, end);
    const value = this.#unescape(token, escaped);
    this.#at = end;
    if (/\p{Surrogate}/u.test(value)) this.#note('half of a surrogate pair', 'write the whole character');
    return value;
  }

  /** A plain loop: a regular expression over a text of megabytes overflows its backtracking stack. */
  #stringEnd(): { end: number; escaped: boolean } {
    let escaped = false;
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) return { end: at + 1, escaped };
      if (code < 0x20) this.#fail('a control character inside a string');
      if (code !== 0x5c) continue;
      escaped = true;
      at += 1;
    }
    return this.#fail('a string without its closing quote');
  }

  #unescape(token: string, escaped: boolean): string {
    if (!escaped) return token.slice(1, -1);
    try {
      return String(JSON.parse(token));
    } catch {
      return this.#fail('an unknown escape inside a string');
    }
  }

  #scalar(): unknown {
    const scalar = /true|false|null|-?(?:0|[1-9][0-9]{0,999})(?:\.[0-9]{1,999})?(?:[eE][+-]?[0-9]{1,9})?/y;
    scalar.lastIndex = this.#at;
    const token = scalar.exec(this.#text)?.[0];
    if (token === undefined) return this.#fail('expected a JSON value');
    this.#at += token.length;
    const value: unknown = JSON.parse(token);
    if (typeof value === 'number') this.#checkNumber(value);
    return value;
  }

  #checkNumber(value: number): void {
    if (!Number.isFinite(value)) this.#note('a number too large for any reader', 'write it as text');
    else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.#note('an integer beyond 9007199254740991, which readers round', 'write it as text');
    }
  }

  /** True where another member follows. */
  #separator(close: '}' | ']'): boolean {
    if (this.#take(',')) return true;
    if (!this.#take(close)) this.#fail(`expected "," or "${close}"`);
    return false;
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at += 1;
    return true;
  }

  /** The next character that is no white space, not taken; undefined at the end. */
  #next(): string | undefined {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'end')) this.#at += 1;
    return this.#text[this.#at];
  }

  #note(message: string, fix: string): void {
    this.faults.push({ path: jsonPath(this.#path), message, fix });
  }

  #fail(message: string): never {
    const before = this.#text.slice(0, this.#at).split('\n');
    const where = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw new JsonError([{ path: jsonPath(this.#path), message: `${message} (${where})` }]);
  }
}
