import { type JSONVisitor, parse, printParseErrorCode, visit } from 'jsonc-parser';
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
 * Reads I-JSON in any state. Never throws.
 * @returns `value`: after a fault of syntax a guess, good enough to find further faults. `faults`: the first
 * 100, each with its line. `brokenAt`: index of the character at which the text stops being JSON
 * @example
 * const { value, faults } = readJson(Buffer.from('{"a":1,"a":2}')); // one fault: the same name twice
 */
export function readJson(bytes: Uint8Array): {
  value: unknown;
  faults: readonly Fault[];
  brokenAt?: number | undefined;
} {
  const text = decode(bytes);
  if (text === undefined) return { value: undefined, faults: [fault('', 'json_not_utf8')], brokenAt: 0 };
  const hasBom = text.startsWith(BYTE_ORDER_MARK);
  const json = hasBom ? ` ${text.slice(1)}` : text;
  const { faults, brokenAt, isWhole } = findFaults(json);
  if (hasBom) faults.unshift({ ...fault('', 'json_bom'), line: 1 });
  if (faults.length === 0) return { value: JSON.parse(json), faults };
  // A text that nests too deep would exhaust the stack of the parser.
  const value: unknown = isWhole ? parse(json, [], JSON_ONLY) : undefined;
  return { value, faults, brokenAt };
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

/** Options of both walks over a text. The parser continues after an error of syntax. */
const JSON_ONLY = { disallowComments: true, allowTrailingComma: false };

/**
 * Walks a text and gathers its faults.
 * @returns `isWhole`: the walk came to the end of the text
 */
function findFaults(text: string): { faults: Fault[]; brokenAt: number | undefined; isWhole: boolean } {
  const faults: Fault[] = [];
  let brokenAt: number | undefined;
  /** The member names so far of each object that is not complete. Arrays have an empty set. */
  const names: Set<string>[] = [];
  /** The path at the current place. */
  let currentPath: () => readonly PropertyKey[] = () => [];

  const note = (code: FindingCode, line: number, path = currentPath(), ...values: readonly string[]) => {
    faults.push({ ...fault(jsonPath(path), code, ...values), line: line + 1 });
    if (faults.length >= MAX_FAULTS) throw new WalkEnd();
  };
  const begin: JSONVisitor['onObjectBegin'] = (_offset, _length, line, _column, path) => {
    currentPath = path;
    names.push(new Set());
    if (names.length <= MAX_DEPTH) return;
    note('json_deep', line, path(), String(MAX_DEPTH));
    throw new WalkEnd();
  };
  const end = () => void names.pop();
  const visitor: JSONVisitor = {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectEnd: end,
    onArrayEnd: end,
    onObjectProperty(name, _offset, _length, line, _column, pathOfObject) {
      const path = [...pathOfObject(), name];
      const earlierNames = names.at(-1);
      if (earlierNames?.has(name)) note('json_same_name', line, path);
      earlierNames?.add(name);
      // Some libraries read `__proto__` as data, others as the prototype.
      if (name === '__proto__') note('json_proto', line, path);
      if (!name.isWellFormed()) note('json_surrogate', line, path);
    },
    onLiteralValue(value, offset, length, line, _column, path) {
      currentPath = path;
      if (typeof value === 'string' && !value.isWellFormed()) note('json_surrogate', line);
      if (typeof value !== 'number') return;
      const code = numberFault(value, text.slice(offset, offset + length));
      if (code) note(code, line, path(), String(value));
    },
    onError(code, offset, _length, line) {
      brokenAt ??= offset;
      // One mistake makes several errors. Only the first of a line helps the reader.
      if (faults.at(-1)?.line !== line + 1)
        note('json_syntax', line, currentPath(), inWords(printParseErrorCode(code)));
    },
  };
  try {
    visit(text, visitor, JSON_ONLY);
    return { faults, brokenAt, isWhole: true };
  } catch (error) {
    if (!(error instanceof WalkEnd)) throw error;
    return { faults, brokenAt: brokenAt ?? 0, isWhole: false };
  }
}

/** `CommaExpected` is "comma expected". */
function inWords(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
}

/** The fault of a number that parsers would change. */
function numberFault(value: number, text: string): FindingCode | undefined {
  if (!Number.isFinite(value)) return 'json_huge';
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return 'json_rounded';
  const isExact = text.length <= MAX_DIGITS && decimalForm(text) === decimalForm(String(value));
  return isExact ? undefined : 'json_digits';
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
