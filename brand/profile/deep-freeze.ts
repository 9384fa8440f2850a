/** Freezes a value with all that it holds, and returns it: what is shared between callers, none may change. */
export function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
