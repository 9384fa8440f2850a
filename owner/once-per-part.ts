import { isObject } from './member.ts';

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

type Placed<Made> = readonly (readonly [path: readonly PropertyKey[], made: Made])[];

/**
 * What is made of each text of a document and of each name of a member, with its path; signatures and `$schema` say nothing to
 * anybody. A part that an edit left alone is not read again.
 */
export function oncePerText<Made>(
  make: (text: string, isName: boolean) => readonly Made[],
): (document: unknown) => Placed<Made> {
  const madeIn = oncePerPart(
    (part: object): Placed<Made> =>
      Object.entries(part).flatMap(([key, member]) => {
        const name = Array.isArray(part) ? Number(key) : key;
        const own = Array.isArray(part) ? [] : make(key, true);
        const made = [...own, ...(typeof member === 'string' ? make(member, false) : [])].map(
          one => [[name], one] as const,
        );
        const inner = member instanceof Object ? madeIn(member) : [];
        return [...made, ...inner.map(([path, one]) => [[name, ...path], one] as const)];
      }),
  );
  return document =>
    isObject(document)
      ? madeIn(document).filter(([[first]]) => first !== 'signatures' && first !== '$schema')
      : [];
}
