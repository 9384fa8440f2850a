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
 * @throws JsonError with every duplicate name, lone surrogate and unsafe number (the first 100), up to the first
 * error of syntax; also for bytes that are not UTF-8, for a byte order mark, and for nesting beyond 64 levels
 * @example const document = readStrictJson(await readFile('brand.json'));
 */
export function readStrictJson(bytes: Uint8Array, toError = (error: JsonError): Error => error): unknown {
  const { value, faults } = readJson(bytes);
  if (faults.length > 0) throw toError(new JsonError(faults));
  return value;
}

/**
 * Reads I-JSON in any state. Never throws.
 * @returns `value`: undefined if the text is not JSON. `faults`: the first 100, each with its line, up to the
 * first error of syntax
 * @example
 * const { value, faults } = readJson(Buffer.from('{"a":1,"a":2}')); // one fault: the same name twice
 */
export function readJson(bytes: Uint8Array): { value: unknown; faults: readonly Fault[] } {
  const text = decode(bytes);
  if (text === undefined) return { value: undefined, faults: [fault('', 'json_not_utf8')] };
  const hasBom = text.startsWith(BYTE_ORDER_MARK);
  const json = hasBom ? ` ${text.slice(1)}` : text;
  const { faults, isJson } = findFaults(json);
  if (hasBom) faults.unshift({ ...fault('', 'json_bom'), line: 1 });
  return { value: isJson ? JSON.parse(json) : undefined, faults };
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

/** Ends the walk after an error of syntax, too many levels or too many faults. */
class WalkEnd extends Error {}

/**
 * Walks a text and gathers its faults.
 * @returns `isJson`: the walk came to the end of the text
 */
function findFaults(text: string): { faults: Fault[]; isJson: boolean } {
  const faults: Fault[] = [];
  /** The member names so far of each object that is not complete. Arrays have an empty set. */
  const names: Set<string>[] = [];

  const note = (code: FindingCode, line: number, path: readonly PropertyKey[], value = '') => {
    faults.push({ ...fault(jsonPath(path), code, value), line: line + 1 });
    if (faults.length >= MAX_FAULTS) throw new WalkEnd();
  };
  const begin: JSONVisitor['onObjectBegin'] = (_offset, _length, line, _column, path) => {
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
    onLiteralValue(value, _offset, _length, line, _column, path) {
      if (typeof value === 'string' && !value.isWellFormed()) note('json_surrogate', line, path());
      if (typeof value !== 'number') return;
      if (!Number.isFinite(value)) note('json_huge', line, path());
      else if (Number.isInteger(value) && !Number.isSafeInteger(value)) note('json_rounded', line, path());
    },
    onError(code, _offset, _length, line) {
      note('json_syntax', line, [], inWords(printParseErrorCode(code)));
      // One mistake makes several errors. Only the first helps the reader.
      throw new WalkEnd();
    },
  };
  try {
    visit(text, visitor, { disallowComments: true, allowTrailingComma: false });
    return { faults, isJson: true };
  } catch (error) {
    if (!(error instanceof WalkEnd)) throw error;
    return { faults, isJson: false };
  }
}

/** `CommaExpected` is "comma expected". */
function inWords(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
}
