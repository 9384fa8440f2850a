import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any code point but half a character. The unit `binary` of fast-check is the same and takes a second to build in each process. */
const unit = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  nth => String.fromCodePoint(nth < SURROGATES.first ? nth : nth + SURROGATES.count),
  character => {
    const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one character');
    return code < SURROGATES.first ? code : code - SURROGATES.count;
  },
);

/** Texts of any characters at all; lengths in characters. */
export function anyText(lengths: {
  readonly minLength?: number;
  readonly maxLength: number;
}): fc.Arbitrary<string> {
  return fc.string({ ...lengths, unit });
}

/** Numbers from 0 to 1 that look random and are the same in each run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
