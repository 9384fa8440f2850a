import { jsonPath } from '../brand/profile/fault.ts';
import { isObject, type Members, valueAt } from './member.ts';

/** A member that two versions of a profile have differently; undefined where one of them lacks it. */
export interface Change {
  /** `boundary.applicable_for`; empty for the part as a whole. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What became of one part of a profile between two versions. */
export interface PartChanges {
  /** `claim clm-price`, `proof prf-panel`, `questions`, or `profile` for everything else. */
  readonly part: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly changes: readonly Change[];
}

/**
 * What differs between two versions of a profile: claim by claim, proof by proof and question by question, whatever their order.
 * Signatures are no part of it.
 */
export function changesBetween(before: unknown, after: unknown): PartChanges[] {
  if (!isObject(before) || !isObject(after)) return [];
  const profile = differences(otherMembers(before), otherMembers(after));
  const questions = questionChanges(before.questions, after.questions);
  return [
    ...(profile.length > 0 ? [{ part: 'profile', kind: 'changed' as const, changes: profile }] : []),
    ...listChanges('claim', byId(before.claims, 'claim_id'), byId(after.claims, 'claim_id')),
    ...listChanges('proof', byId(before.proofs, 'proof_id'), byId(after.proofs, 'proof_id')),
    ...(questions.length > 0 ? [{ part: 'questions', kind: 'changed' as const, changes: questions }] : []),
  ];
}

const otherMembers = ({ claims, proofs, questions, signatures, ...others }: Members): Members => others;

const entriesOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : []);

const byId = (list: unknown, member: string): Map<string, unknown> =>
  new Map(
    entriesOf(list).map((entry, index) => {
      const id = valueAt(entry, [member]);
      return [typeof id === 'string' ? id : `${index + 1}`, entry];
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

/** The questions that came and went, each under its claim. */
function questionChanges(before: unknown, after: unknown): Change[] {
  const lines = (list: unknown) =>
    entriesOf(list).map(question => ({
      claim: String(valueAt(question, ['claim_id'])),
      text: String(valueAt(question, ['text'])),
    }));
  const keys = (list: unknown) => new Set(lines(list).map(line => JSON.stringify(line)));
  const oldKeys = keys(before);
  const newKeys = keys(after);
  return [
    ...lines(before)
      .filter(line => !newKeys.has(JSON.stringify(line)))
      .map(({ claim, text }) => ({ path: claim, before: text, after: undefined })),
    ...lines(after)
      .filter(line => !oldKeys.has(JSON.stringify(line)))
      .map(({ claim, text }) => ({ path: claim, before: undefined, after: text })),
  ];
}

/** The members that differ, deep, of an object that is new or gone too; lists are compared whole. */
function differences(before: unknown, after: unknown, path: readonly PropertyKey[] = []): Change[] {
  const oldMembers = isObject(before) ? before : undefined;
  const newMembers = isObject(after) ? after : undefined;
  const left = oldMembers ?? emptyBeside(before, newMembers);
  const right = newMembers ?? emptyBeside(after, oldMembers);
  if (!left || !right) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path: jsonPath(path), before, after }];
  }
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap(name =>
    name === 'claim_id' || name === 'proof_id' ? [] : differences(left[name], right[name], [...path, name]),
  );
}

/** Nothing is compared with an object as an empty one; with an empty one it is another value. */
const emptyBeside = (value: unknown, other: Members | undefined): Members | undefined =>
  value === undefined && other && Object.keys(other).length > 0 ? {} : undefined;

/**
 * The changes as lines of text: one a part, then each member with what it was and what it is.
 * @param headingOf what a member is called; default: its path
 */
export function changeLines(
  changes: readonly PartChanges[],
  headingOf: (part: string, path: string) => string | undefined = () => undefined,
): string[] {
  return changes.flatMap(({ part, kind, changes: members }) => [
    `${part}: ${kind}`,
    ...members.flatMap(({ path, before, after }, index) => [
      // Questions of one claim stand under its name.
      ...(members[index - 1]?.path === path
        ? []
        : [`  ${headingOf(part.split(' ', 1)[0] ?? '', path) ?? path}`]),
      ...(before === undefined ? [] : [`    - ${oneLine(before)}`]),
      ...(after === undefined ? [] : [`    + ${oneLine(after)}`]),
    ]),
  ]);
}

/** A value on one line, and harmless to a terminal. */
function oneLine(value: unknown): string {
  const isListOfTexts = Array.isArray(value) && value.every(entry => typeof entry === 'string');
  const text = isListOfTexts
    ? value.join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  return text.replace(/[\s\p{Cc}]+/gu, ' ').replace(/\p{Cf}/gu, '');
}
