/**
 * Remembers what a frozen object was turned into, from its second use on: a question that is asked once would only
 * fill the memory.
 */
export function memo<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const seen = new WeakSet<Key>();
  const made = new WeakMap<Key, Value>();
  return key => {
    if (!Object.isFrozen(key)) return make(key);
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (seen.has(key)) made.set(key, value);
    else seen.add(key);
    return value;
  };
}
