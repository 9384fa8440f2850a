/** Mulberry32: the same texts in every run. */
function createRandom(): () => number {
  let state = 0x2026_1122;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** First code points of a hundred blocks of scripts, marks and pictures. */
const SCRIPTS = [
  ...[
    0x21, 0xa1, 0x100, 0x250, 0x300, 0x370, 0x400, 0x530, 0x590, 0x600, 0x700, 0x780, 0x7c0, 0x800, 0x840, 0x900, 0x980,
  ],
  ...[
    0xa00, 0xa80, 0xb00, 0xb80, 0xc00, 0xc80, 0xd00, 0xd80, 0xe00, 0xe80, 0xf00, 0x1000, 0x10a0, 0x1100, 0x1200, 0x13a0,
  ],
  ...[
    0x1400, 0x1680, 0x16a0, 0x1700, 0x1780, 0x1800, 0x1900, 0x1950, 0x1980, 0x1a00, 0x1a20, 0x1b00, 0x1b80, 0x1c00,
    0x1c50,
  ],
  ...[
    0x1d00, 0x1e00, 0x1f00, 0x2010, 0x2070, 0x20a0, 0x2100, 0x2190, 0x2200, 0x2300, 0x2460, 0x2500, 0x2600, 0x2700,
    0x2800,
  ],
  ...[
    0x2c00, 0x2c80, 0x2d30, 0x2e80, 0x3041, 0x30a1, 0x3105, 0x3131, 0x3200, 0x4e00, 0xa000, 0xa4d0, 0xa500, 0xa640,
    0xa800,
  ],
  ...[
    0xa840, 0xa880, 0xa900, 0xa960, 0xaa00, 0xab00, 0xac00, 0xe000, 0xf900, 0xfb00, 0xfb50, 0xfe00, 0xff01, 0x10000,
    0x10300,
  ],
  ...[0x12000, 0x13000, 0x1d400, 0x1f300, 0x1f600, 0x1f900, 0x20000, 0xe0100],
];

const KINDS: readonly ((random: () => number) => string)[] = [
  random => many(1 + random() * 60, () => pick(random, SCRIPTS) + Math.floor(random() * 60)),
  random => many(1 + random() * 40, () => Math.floor(random() * 0x20)),
  random => many(1 + random() * 40, () => 0x1f300 + Math.floor(random() * 0x400)),
  random => many(1 + random() * 40, () => Math.floor(random() * 0x11_0000)),
  random => many(2000, () => 0x61 + Math.floor(random() * 26)),
  random => many(500, () => pick(random, SCRIPTS)),
  random =>
    `${pick(random, ['precio', 'how much', 'a', 'ROI'])}${many(random() * 20, () => 0x300 + Math.floor(random() * 0x70))}`,
  random =>
    pick(random, [' ', '\t', '\u200b', '\u00a0', '\ufeff', '\ud83d', '\0', '[CLS]', '<s>', '</s>', '▁', '��']).repeat(
      1 + Math.floor(random() * 200),
    ),
];

/** Texts that no person asks: a hundred scripts, pictures, control characters, lone halves, 2,000 letters without a space. */
export function hostileTexts(count: number): string[] {
  const random = createRandom();
  return Array.from({ length: count }, (_, nth) => KINDS[nth % KINDS.length]!(random));
}

function many(count: number, code: () => number): string {
  return Array.from({ length: Math.floor(count) }, () => String.fromCodePoint(Math.min(code(), 0x10_ffff))).join('');
}

function pick<Item>(random: () => number, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}
