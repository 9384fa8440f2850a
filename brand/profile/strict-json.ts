import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { type Fault, fault, jsonPath, renderFault } from './fault.ts';
import type { FindingCode } from './findings.ts';

/** Deeper documents are refused, because the canonical form and the schema are walked recursively. */
const MAX_DEPTH = 64;

/** A file of megabytes that repeats one fault must not block the process. */
const MAX_FAULTS = 100;

/** The bytes are not I-JSON: parsers would disagree about them, or refuse them. */
export class JsonError extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(faults.map(renderFault).join('\n'));
    this.name = 'JsonError';
    this.faults = faults;
  }
}

/**
 * Reads I-JSON (RFC 7493), as RFC 8785 demands: if two parsers read one text differently, a signature does
 * not say which reading was signed. `JSON.parse` keeps the last of two equal names, passes lone surrogates
 * and rounds integers.
 * @param toError makes the error to throw, where the caller has an error class of its own
 * @throws JsonError with every duplicate name, lone surrogate, unsafe number and error of syntax (the first
 * 100); also for bytes that are not UTF-8, for a byte order mark, and for nesting beyond 64 levels
 * @example const document = readStrictJson(await readFile('brand.json'));
 */
export function readStrictJson(bytes: Uint8Array, toError = (error: JsonError): Error => error): unknown {
  const { value, faults } = readJson(bytes);
  if (faults.length > 0) throw toError(new JsonError(faults));
  return value;
}

/**
 * The same for a document in any state. Never throws.
 * @returns `value`: what could be read. After a fault of syntax it is a guess, good enough to find further
 * faults.
 * `faults`: the first 100, each with its line. `brokenAt`: the character at which the text stops being JSON.
 */
export function readJson(bytes: Uint8Array): {
  value: unknown;
  faults: readonly Fault[];
  brokenAt?: number | undefined;
} {
  const text = decode(bytes);
  if (text === undefined) return { value: undefined, faults: [fault('', 'json_not_utf8')], brokenAt: 0 };
  const reader = new Reader();
  const hasBom = text.startsWith(BYTE_ORDER_MARK);
  if (hasBom) reader.faults.push({ ...fault('', 'json_bom'), line: 1 });
  reader.read(hasBom ? ` ${text.slice(1)}` : text);
  return { value: reader.value, faults: reader.faults, brokenAt: reader.brokenAt };
}

/** `JSON.parse`, but undefined for a text that is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const BYTE_ORDER_MARK = '\uFEFF';

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Ends the walk after too many levels or too many faults. */
class WalkEnd extends Error {}

/** Our codes for the parser's names of syntax errors. */
const SYNTAX_CODES: Readonly<Record<string, FindingCode>> = {
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

/** An object or array that is not complete, with the name or index of its current member. */
type Container =
  | { readonly object: Record<string, unknown>; member?: string }
  | { readonly array: unknown[]; member?: number };

/** Builds the value while jsonc-parser walks the text. The parser goes on after an error of syntax. */
class Reader {
  readonly faults: Fault[] = [];
  value: unknown;
  brokenAt: number | undefined;
  readonly #containers: Container[] = [];
  #text = '';

  read(text: string): void {
    this.#text = text;
    try {
      visit(text, this.#visitor, { disallowComments: true, allowTrailingComma: false });
    } catch (error) {
      if (!(error instanceof WalkEnd)) throw error;
      this.brokenAt ??= 0;
    }
  }

  readonly #visitor: JSONVisitor = {
    onObjectBegin: (_offset, _length, line) => this.#begin({ object: {} }, line),
    onArrayBegin: (_offset, _length, line) => this.#begin({ array: [] }, line),
    onObjectEnd: () => this.#containers.pop(),
    onArrayEnd: () => this.#containers.pop(),
    onObjectProperty: (name, _offset, _length, line) => this.#name(name, line),
    onLiteralValue: (value, offset, length, line) =>
      this.#literal(value, this.#text.slice(offset, offset + length), line),
    onError: (code, offset, _length, line) => {
      this.brokenAt ??= offset;
      // One mistake makes several errors. Only the first of a line helps the reader.
      if (this.faults.at(-1)?.line !== line + 1)
        this.#note(SYNTAX_CODES[printParseErrorCode(code)] ?? 'json_unreadable', line);
    },
  };

  #begin(container: Container, line: number): void {
    this.#place('array' in container ? container.array : container.object);
    this.#containers.push(container);
    if (this.#containers.length <= MAX_DEPTH) return;
    this.#note('json_deep', line, String(MAX_DEPTH));
    throw new WalkEnd();
  }

  #name(name: string, line: number): void {
    const container = this.#containers.at(-1);
    if (!container || 'array' in container) return;
    container.member = name;
    if (Object.hasOwn(container.object, name)) this.#note('json_same_name', line);
    // Some libraries read `__proto__` as data, others as the prototype.
    if (name === '__proto__') this.#note('json_proto', line);
    if (!name.isWellFormed()) this.#note('json_surrogate', line);
  }

  #literal(value: unknown, text: string, line: number): void {
    this.#place(value);
    if (typeof value === 'string' && !value.isWellFormed()) this.#note('json_surrogate', line);
    if (typeof value !== 'number') return;
    if (!Number.isFinite(value)) {
      this.#note('json_huge', line);
    } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.#note('json_rounded', line);
    } else if (text.length > MAX_DIGITS || decimalForm(text) !== decimalForm(String(value))) {
      this.#note('json_digits', line, String(value));
    }
  }

  #place(value: unknown): void {
    const container = this.#containers.at(-1);
    if (!container) {
      this.value = value;
    } else if ('array' in container) {
      container.array.push(value);
      container.member = container.array.length - 1;
    } else if (container.member !== undefined && container.member !== '__proto__') {
      container.object[container.member] = value;
    }
  }

  #note(code: FindingCode, line: number, ...values: readonly string[]): void {
    const path = jsonPath(this.#containers.flatMap(({ member }) => member ?? []));
    this.faults.push({ ...fault(path, code, ...values), line: line + 1 });
    if (this.faults.length >= MAX_FAULTS) throw new WalkEnd();
  }
}

/** A longer number is refused without a closer look: a double has 17 significant digits. */
const MAX_DIGITS = 40;

/** One form for all ways to write a number: `70.0`, `7e1` and `70` are all `7e1`. */
function decimalForm(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^(-?)0+(?=\d)/, '$1');
  const significand = digits.replace(/(?<=[1-9])0+$/, '');
  if (significand === '0' || significand === '-0') return '0';
  const zeros = digits.length - significand.length;
  return `${significand}e${Number(exponent) - fraction.length + zeros}`;
}
