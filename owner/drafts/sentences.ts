/** Words that end with a dot and end no sentence; whatever the language, they are few enough to be known. */
const SHORT =
  /(?:^|[\s(])(?:sra?s?|dra?s?|d|dña|ud|uds|vd|núm|nº|no|p|pág|págs|art|aprox|máx|mín|etc|ej|avda|av|c|tel|mr|mrs|ms|st|e\.g|i\.e|approx|max|min|vs|inc|co|ltd|ee|uu)\.$/iu;

/** The sentences of a text. Lines are ends, and a dot between figures is none. */
export function sentencesOf(text: string, language: string): string[] {
  return text
    .split('\n')
    .flatMap(line => joined([...segmenterOf(language).segment(line)].map(({ segment }) => segment)));
}

/** A sentence after a short word goes on, and so does what begins in lower case. */
function joined(pieces: readonly string[]): string[] {
  const sentences: string[] = [];
  for (const piece of pieces) {
    const last = sentences.at(-1);
    const goesOn = last !== undefined && (SHORT.test(last.trimEnd()) || /^\p{Ll}/u.test(piece));
    if (goesOn) sentences[sentences.length - 1] = last + piece;
    else sentences.push(piece);
  }
  return sentences.map(sentence => sentence.trim()).filter(sentence => /\p{L}/u.test(sentence));
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
