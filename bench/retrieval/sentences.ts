export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The sentences of a text by Intl.Segmenter, without the cuts that are none: at a line break inside a sentence, before a
 * lower-case word, after an initial ("John C. Messenger") or an abbreviation ("St. Johns").
 */
export function createSentences(language: string): (text: string) => Span[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  return text => {
    const spans: Span[] = [];
    for (const { index, segment } of segmenter.segment(text)) {
      const last = spans.at(-1);
      const end = index + segment.length;
      const goesOn = last && isWrongCut(text.slice(last.start, index), segment);
      if (goesOn) spans[spans.length - 1] = { start: last.start, end };
      else spans.push({ start: index, end });
    }
    return spans;
  };
}

const ENDS = /[.!?…:]["'”’»)\]]*\s*$/u;
const INITIAL = /(?:^|[\s(])\p{Lu}\.\s*$/u;
const ABBREVIATION = /(?:^|[\s(])(?:Dr|Mr|Mrs|Ms|Sr|Sra|St|Rev|Prof|Gen|Vol|No|EE|al|v|vs|c|ca)\.\s*$/u;

function isWrongCut(before: string, after: string): boolean {
  return !ENDS.test(before) || /^\p{Ll}/u.test(after) || INITIAL.test(before) || ABBREVIATION.test(before);
}
