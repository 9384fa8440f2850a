import type { TokenTable } from './embedder.ts';
import { cosines, rowVector } from './int8-rows.ts';

/** The tokens of some texts without repetition, and for each text the places of its tokens among them. */
export interface TextTokens {
  readonly tokens: Uint32Array;
  readonly texts: readonly Uint32Array[];
}

export function gatherTokens(texts: readonly (readonly number[])[]): TextTokens {
  const places = new Map<number, number>();
  const placeOf = (token: number): number => {
    const known = places.get(token);
    if (known !== undefined) return known;
    places.set(token, places.size);
    return places.size - 1;
  };
  const members = texts.map(tokens => Uint32Array.from(new Set(tokens), placeOf));
  return { tokens: Uint32Array.from(places.keys()), texts: members };
}

/**
 * Late interaction (Khattab and Zaharia, ColBERT, arXiv:2004.12832) for a model whose token vectors know no context:
 * per text the best cosine of its tokens with the given one, at least 0.
 */
export function bestCosines(
  { rows }: TokenTable,
  token: number,
  { tokens, texts }: TextTokens,
): Float32Array {
  const cosine = cosines(rowVector(rows, token), rows, tokens);
  return Float32Array.from(texts, places => {
    let best = 0;
    for (const place of places) if (cosine[place]! > best) best = cosine[place]!;
    return best;
  });
}

/** In how many texts each token stands: to look for tokens like it in thousands of texts would take too long. */
export function countTexts(texts: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const tokens of texts)
    for (const token of new Set(tokens)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}
