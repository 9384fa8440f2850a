/**
 * Remembers what a frozen object was turned into. What is not frozen is new or may change, and is turned anew: a question
 * that is asked once would only fill the memory.
 */
export function memo<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return key => {
    if (!Object.isFrozen(key)) return make(key);
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** The same for what is turned into something else in its turn: that is frozen where its origin is. */
export function memoObject<Key extends object, Value extends object>(make: (key: Key) => Value): (key: Key) => Value {
  return memo(key => (Object.isFrozen(key) ? Object.freeze(make(key)) : make(key)));
}
