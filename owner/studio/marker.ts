import { foldedText } from '../../brand/profile/folded-text.ts';
import { isFunctionWord } from '../../brand/retrieval/content.ts';
import type { TokenTable } from '../../brand/retrieval/embedder.ts';
import { cosines, rowVector } from '../../brand/retrieval/int8-rows.ts';

/** A piece of a text; `matched` where it meets a word of the question. */
export interface Piece {
  readonly text: string;
  readonly matched: boolean;
}

export type Marker = (text: string) => readonly Piece[];

/** From here on two words of the bundled model say nearly the same: "precio" and "tarifa", "cost" and "price". */
const NEAR = 0.6;

/** Marks the words of a text that a question meets: by meaning where the model has a table of tokens, else by spelling. */
export function createMarker(query: string, tokens: TokenTable | undefined): Marker {
  const isNear = tokens ? nearness(query, tokens) : () => false;
  const asked = new Set(wordsIn(query).map(foldedText));
  return text =>
    text.split(/([\p{L}\p{N}\p{M}]+)/u).flatMap((piece, at) => {
      if (piece === '') return [];
      const isWord = at % 2 === 1 && saysSomething(piece);
      return [{ text: piece, matched: isWord && (asked.has(foldedText(piece)) || isNear(piece)) }];
    });
}

/** Whether some token of a word is near to a token of the question that carries meaning. */
function nearness(query: string, { tokenize, rows, norm, word }: TokenTable): (word: string) => boolean {
  const heavy = (token: number) => norm(token) > 0 && word(token).replace(/\P{L}/gu, '').length > 2;
  const asked = [...new Set(wordsIn(query).flatMap(tokenize))].filter(heavy).map(token => rowVector(rows, token));
  return text => {
    const own = Uint32Array.from(tokenize(text).filter(heavy));
    return own.length > 0 && asked.some(vector => cosines(vector, rows, own).some(cosine => cosine >= NEAR));
  };
}

const saysSomething = (word: string) => word.length > 2 && !isFunctionWord(word);
const wordsIn = (text: string) => (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter(saysSomething);
