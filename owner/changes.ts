import { jsonPath } from '../brand/profile/fault.ts';
import { isSpanish } from '../brand/profile/finding-words.ts';
import { commandWords } from './command-words.ts';
import { labelOf, wordOf } from './fields.ts';
import { isObject, valueAt } from './member.ts';
import { segmentsOf } from './places.ts';
import { figureWord } from './units.ts';

/** A member that two versions of a profile have differently; undefined where one of them lacks it. */
export interface Change {
  /** `boundary.applicable_for`; empty for the part as a whole. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What became of one part of a profile between two versions. */
export interface PartChanges {
  /** `claim clm-price`, `proof prf-panel`, or `profile` for everything else. */
  readonly part: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly changes: readonly Change[];
}

/**
 * What differs between two versions of a profile, claim by claim and proof by proof, whatever their order. Signatures are
 * no part of it.
 */
export function changesBetween(before: unknown, after: unknown): PartChanges[] {
  if (!isObject(before) || !isObject(after)) return [];
  const [oldRest, rest] = [before, after].map(({ claims, proofs, signatures, ...others }) => others);
  const profile = differences(oldRest, rest);
  return [
    ...(profile.length > 0 ? [{ part: 'profile', kind: 'changed' as const, changes: profile }] : []),
    ...listChanges('claim', byId(before.claims, 'claim_id'), byId(after.claims, 'claim_id')),
    ...listChanges('proof', byId(before.proofs, 'proof_id'), byId(after.proofs, 'proof_id')),
  ];
}

const byId = (entries: unknown, member: string): Map<string, unknown> =>
  new Map(
    (Array.isArray(entries) ? entries : []).map((entry, at) => {
      const id = valueAt(entry, [member]);
      return [typeof id === 'string' ? id : `${at + 1}`, entry];
    }),
  );

function listChanges(kind: string, before: Map<string, unknown>, after: Map<string, unknown>): PartChanges[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id): PartChanges[] => {
    const part = `${kind} ${id}`;
    if (!before.has(id)) return [{ part, kind: 'added', changes: differences({}, after.get(id)) }];
    if (!after.has(id)) return [{ part, kind: 'removed', changes: differences(before.get(id), {}) }];
    const changes = differences(before.get(id), after.get(id));
    return changes.length > 0 ? [{ part, kind: 'changed', changes }] : [];
  });
}

/** The members that differ, deep, of an object that is new or gone too; lists are compared whole. */
function differences(before: unknown, after: unknown, path: readonly PropertyKey[] = []): Change[] {
  const [was, is] = [before, after].map(value => (isObject(value) ? value : undefined));
  const [old, fresh] = [was ?? emptyBeside(before, is), is ?? emptyBeside(after, was)];
  if (!old || !fresh) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path: jsonPath(path), before, after }];
  }
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])].flatMap(name =>
    name === 'claim_id' || name === 'proof_id' ? [] : differences(old[name], fresh[name], [...path, name]),
  );
}

/** Nothing is compared with an object as an empty one; with an empty one it is another value. */
const emptyBeside = (
  value: unknown,
  other: object | undefined,
): Readonly<Record<string, unknown>> | undefined =>
  value === undefined && other && Object.keys(other).length > 0 ? {} : undefined;

/**
 * The changes as lines of text in the profile's language: one a part, then each member with what it was and what it is.
 * @param headingOf what a member is called; by default in Spanish its label in the studio, else its path
 */
export function changeLines(
  changes: readonly PartChanges[],
  language: string,
  headingOf: (part: string, path: string) => string | undefined = () => undefined,
): string[] {
  const { say, noun } = commandWords(language);
  const label = (part: string, path: string) =>
    headingOf(part, path) ??
    (isSpanish(language) ? labelOf(part.replace('profile', 'brand'), segmentsOf(path), language) : path);
  return changes.flatMap(({ part, kind, changes: members }) => {
    const [name = '', id] = part.split(' ', 2);
    const head = `${noun(name === 'claim' ? 'claim' : 'proof')} ${id}: ${say(kind)}`;
    return [
      id === undefined ? say('profile_changed') : head,
      ...members.flatMap(({ path, before, after }) => [
        `  ${label(name, path)}`,
        ...(before === undefined ? [] : [`    - ${shown(before, path, language)}`]),
        ...(after === undefined ? [] : [`    + ${shown(after, path, language)}`]),
      ]),
    ];
  });
}

/** As people of the language write it, on one line, and harmless to a terminal. */
function shown(value: unknown, path: string, language: string): string {
  const word =
    isSpanish(language) && path.startsWith('confiden') && wordOf(String(value), language).toLowerCase();
  const isList = Array.isArray(value) && value.every(one => typeof one === 'string');
  const text = isList
    ? value.join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : figureWord(value, language);
  return (word || text).replace(/[\s\p{Cc}]+/gu, ' ').replace(/\p{Cf}/gu, '');
}
