import * as z from 'zod';
import { type Fault, jsonPath } from '../profile/fault.ts';

export const DIFFERS = 'differs from the profile';

/** The members of an object from JSON. */
export const Members = z.record(z.string(), z.unknown());

/** The first place where two values from JSON differ, at any depth; `undefined` if they are equal. */
export function firstDifference(actual: unknown, expected: unknown, path: readonly PropertyKey[]): Fault | undefined {
  if (actual === expected) return undefined;
  if (actual === undefined) return { path: jsonPath(path), message: 'is missing' };
  if (expected === undefined) return { path: jsonPath(path), message: 'is not in the profile' };
  if (Array.isArray(actual) && Array.isArray(expected)) return listDifference(actual, expected, path);
  const [members, signed] = [Members.safeParse(actual).data, Members.safeParse(expected).data];
  if (members === undefined || signed === undefined) return { path: jsonPath(path), message: DIFFERS };
  for (const name of new Set([...Object.keys(signed), ...Object.keys(members)])) {
    const difference = firstDifference(members[name], signed[name], [...path, name]);
    if (difference) return difference;
  }
  return undefined;
}

function listDifference(
  actual: readonly unknown[],
  expected: readonly unknown[],
  path: readonly PropertyKey[],
): Fault | undefined {
  if (actual.length !== expected.length) {
    return { path: jsonPath(path), message: `has ${actual.length} entries, the profile has ${expected.length}` };
  }
  for (const [at, entry] of actual.entries()) {
    const difference = firstDifference(entry, expected[at], [...path, at]);
    if (difference) return difference;
  }
  return undefined;
}

/** The first fault that a schema finds in an answer. */
export function formFault([issue]: readonly z.core.$ZodIssue[]): Fault {
  if (issue?.code === 'unrecognized_keys')
    return { path: jsonPath([...issue.path, ...issue.keys.slice(0, 1)]), message: EXTRA };
  return { path: jsonPath(issue?.path ?? []), message: issue?.message ?? DIFFERS };
}

const EXTRA = 'is no part of an answer';
