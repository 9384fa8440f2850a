/** Words that end with a dot and end no sentence; whatever the language, they are few enough to be known. */
const SHORT =
  /(?:^|[\s(])(?:sra?s?|dra?s?|d|dña|ud|uds|vd|núm|nº|no|p|pág|págs|art|aprox|máx|mín|etc|ej|avda|av|c|tel|mr|mrs|ms|st|e\.g|i\.e|approx|max|min|vs|inc|co|ltd|ee|uu)\.$/iu;

/** The sentences of a text. Lines are ends, and a dot between figures is none. */
export function sentencesOf(text: string, language: string): string[] {
  return text.split('\n').flatMap(line => joined(segments(line, segmenterOf(language))));
}

/** The segmenter copies its text for each sentence (V8 of Node 20: 0.6 s for 70 KB), so it gets no more than this at once. */
const WINDOW = 4000;

function segments(line: string, segmenter: Intl.Segmenter): string[] {
  const pieces: string[] = [];
  let long = '';
  for (let from = 0; from < line.length; ) {
    const found = [...segmenter.segment(line.slice(from, from + WINDOW))].map(({ segment }) => segment);
    const isEnd = from + WINDOW >= line.length;
    // The last one may go on behind the window; a single one does, and is put together.
    const whole = isEnd || found.length === 1 ? found : found.slice(0, -1);
    from += whole.reduce((length, piece) => length + piece.length, 0);
    const [first = '', ...others] = whole;
    long += first;
    if (!isEnd && found.length === 1) continue;
    pieces.push(long, ...others);
    long = '';
  }
  return pieces;
}

/** A sentence after a short word goes on, and so does what begins in lower case. */
function joined(pieces: readonly string[]): string[] {
  const sentences: string[][] = [];
  for (const [at, piece] of pieces.entries()) {
    const last = pieces[at - 1];
    const goesOn = last !== undefined && (SHORT.test(last.trimEnd()) || /^\p{Ll}/u.test(piece));
    if (goesOn) sentences.at(-1)?.push(piece);
    else sentences.push([piece]);
  }
  return sentences.map(parts => parts.join('').trim()).filter(sentence => /\p{L}/u.test(sentence));
}

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known) return known;
  const [tag = 'en'] = Intl.getCanonicalLocales(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? language : 'en');
  const made = new Intl.Segmenter(tag, { granularity: 'sentence' });
  segmenters.set(language, made);
  return made;
}
