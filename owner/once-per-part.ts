/**
 * A function that is computed once for each part of a document. A document is never changed in place: an edit makes new objects for
 * what it touches and shares the others, so the object itself says whether a part is as it was.
 * @param key whatever else the result depends on, such as the profile's language
 */
export function oncePerPart<Part extends object, Made>(
  make: (part: Part, key: string) => Made,
): (part: Part, key?: string) => Made {
  const known = new WeakMap<Part, { readonly key: string; readonly made: Made }>();
  return (part, key = '') => {
    const last = known.get(part);
    if (last?.key === key) return last.made;
    const made = make(part, key);
    known.set(part, { key, made });
    return made;
  };
}
