/** What a step made of texts, by the text. */
export interface Known<Made> {
  get(text: string): Made | undefined;
  set(text: string, made: Made): unknown;
}

/** What single texts came to: whoever creates a retrieval again and again, while claims are written, keeps it between two. */
export interface KnownTexts {
  readonly readings: Known<ReadText>;
  /** By the head of a text; 3 ms each. */
  readonly leanings: Known<Leaning>;
  readonly grams: Known<readonly number[]>;
}

/** A text as a table of tokens reads it. */
export interface ReadText {
  readonly tokens: readonly number[];
  readonly dense: Float32Array;
}

/** What the bank says of a head. */
export interface Leaning {
  /** Cosine of the nearest bank claim. */
  readonly nearest: number;
  /** Mean direction of the questions of the near ones. */
  readonly questions: Float32Array;
}

/** What is known of a text, else what `make` makes of it. */
export function recalled<Made>(known: Known<Made> | undefined, text: string, make: (text: string) => Made): Made {
  const found = known?.get(text);
  if (found !== undefined) return found;
  const made = make(text);
  known?.set(text, made);
  return made;
}
