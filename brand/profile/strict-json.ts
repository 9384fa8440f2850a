import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { type Fault, fault, jsonPath, renderFault } from './fault.ts';
import type { FindingCode } from './findings.ts';

/** Deeper documents are refused: the canonical form and the schema are walked recursively. */
const MAX_DEPTH = 64;

/** A reader needs no more, and a file of megabytes that repeats one fault must not hold the process. */
const MAX_FAULTS = 100;

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
 * @throws JsonError with every duplicate name, lone surrogate, unsafe number and error of syntax (the first 100), or for
 * bytes that are not UTF-8, a byte order mark, or nesting beyond 64 levels.
 * @param named makes the error that the caller throws in its place
 */
export function readStrictJson(bytes: Uint8Array, named = (error: JsonError): Error => error): unknown {
  const { value, faults } = readJson(bytes);
  if (faults.length > 0) throw named(new JsonError(faults));
  return value;
}

/**
 * The same for a document in any state; never throws.
 * @returns what could be read, which with faults of syntax is a guess, good enough to look for others; the first 100 faults, each
 * with its line; and where the text stops being JSON, in characters, unless it is JSON to its end
 */
export function readJson(bytes: Uint8Array): {
  value: unknown;
  faults: readonly Fault[];
  brokenAt?: number | undefined;
} {
  const text = decode(bytes);
  if (text === undefined) return { value: undefined, faults: [NOT_UTF8], brokenAt: 0 };
  const reader = new Reader();
  if (text.startsWith(BOM)) reader.faults.push(MARKED);
  reader.read(text.startsWith(BOM) ? ` ${text.slice(1)}` : text);
  return { value: reader.value, faults: reader.faults, brokenAt: reader.brokenAt };
}

/** What `JSON.parse` makes of a text; undefined where it is none. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const BOM = '\uFEFF';
const MARKED: Fault = { ...fault('', 'json_bom'), line: 1 };
const NOT_UTF8 = fault('', 'json_not_utf8');

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Ends the walk: too deep, or too many faults. */
class Enough extends Error {}

/** What the parser calls an error. */
const SYNTAX: Readonly<Record<string, FindingCode>> = {
  InvalidSymbol: 'json_word',
  InvalidNumberFormat: 'json_number',
  PropertyNameExpected: 'json_name',
  ValueExpected: 'json_value',
  ColonExpected: 'json_colon',
  CommaExpected: 'json_comma',
  CloseBraceExpected: 'json_brace',
  CloseBracketExpected: 'json_bracket',
  EndOfFileExpected: 'json_rest',
  InvalidCommentToken: 'json_comment',
  UnexpectedEndOfString: 'json_quote',
  UnexpectedEndOfNumber: 'json_half_number',
  InvalidUnicode: 'json_unicode',
  InvalidEscapeCharacter: 'json_escape',
  InvalidCharacter: 'json_control',
};

/** An object or array under construction, with the name or the position of its member in hand. */
type Frame =
  | { readonly object: Record<string, unknown>; at?: string }
  | { readonly array: unknown[]; at?: number };

/** Builds the value while jsonc-parser walks the text, which goes on after an error of syntax. */
class Reader {
  readonly faults: Fault[] = [];
  value: unknown;
  brokenAt: number | undefined;
  readonly #open: Frame[] = [];
  #text = '';

  read(text: string): void {
    this.#text = text;
    try {
      visit(text, this.#visitor, { disallowComments: true, allowTrailingComma: false });
    } catch (error) {
      if (!(error instanceof Enough)) throw error;
      this.brokenAt ??= 0;
    }
  }

  readonly #visitor: JSONVisitor = {
    onObjectBegin: (_offset, _length, line) => this.#begin({ object: {} }, line),
    onArrayBegin: (_offset, _length, line) => this.#begin({ array: [] }, line),
    onObjectEnd: () => this.#open.pop(),
    onArrayEnd: () => this.#open.pop(),
    onObjectProperty: (name, _offset, _length, line) => this.#name(name, line),
    onLiteralValue: (value, offset, length, line) =>
      this.#literal(value, this.#text.slice(offset, offset + length), line),
    onError: (code, offset, _length, line) => {
      this.brokenAt ??= offset;
      // One slip makes several errors; whoever reads wants the first of a line.
      if (this.faults.at(-1)?.line !== line + 1)
        this.#note(SYNTAX[printParseErrorCode(code)] ?? 'json_unreadable', line);
    },
  };

  #begin(frame: Frame, line: number): void {
    this.#place('array' in frame ? frame.array : frame.object);
    this.#open.push(frame);
    if (this.#open.length <= MAX_DEPTH) return;
    this.#note('json_deep', line, String(MAX_DEPTH));
    throw new Enough();
  }

  #name(name: string, line: number): void {
    const frame = this.#open.at(-1);
    if (!frame || 'array' in frame) return;
    frame.at = name;
    if (Object.hasOwn(frame.object, name)) this.#note('json_same_name', line);
    // An own `__proto__` is data to one library and a prototype to the next.
    if (name === '__proto__') this.#note('json_proto', line);
    if (!name.isWellFormed()) this.#note('json_surrogate', line);
  }

  #literal(value: unknown, text: string, line: number): void {
    this.#place(value);
    if (typeof value === 'string' && !value.isWellFormed()) this.#note('json_surrogate', line);
    if (typeof value !== 'number') return;
    if (!Number.isFinite(value)) this.#note('json_huge', line);
    else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.#note('json_rounded', line);
    } else if (text.length > MAX_DIGITS || decimal(text) !== decimal(String(value))) {
      this.#note('json_digits', line, String(value));
    }
  }

  #place(value: unknown): void {
    const frame = this.#open.at(-1);
    if (!frame) this.value = value;
    else if ('array' in frame) frame.at = frame.array.push(value) - 1;
    else if (frame.at !== undefined && frame.at !== '__proto__') frame.object[frame.at] = value;
  }

  #note(code: FindingCode, line: number, ...values: readonly string[]): void {
    const path = jsonPath(this.#open.flatMap(({ at }) => at ?? []));
    this.faults.push({ ...fault(path, code, ...values), line: line + 1 });
    if (this.faults.length >= MAX_FAULTS) throw new Enough();
  }
}

/** A longer number is refused unread: a double has 17 significant digits. */
const MAX_DIGITS = 40;

/** A decimal number by its digits and their place, whatever way it is written: 70.0, 7e1 and 70 are the same. */
function decimal(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^(-?)0+(?=\d)/, '$1');
  const short = digits.replace(/(?<=[1-9])0+$/, '');
  return short === '0' || short === '-0'
    ? '0'
    : `${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
