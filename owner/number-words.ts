import { foldedText } from '../brand/profile/folded-text.ts';

const numbers = (words: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(words));

/** Numbers in Spanish and English words, folded. */
const NUMBERS = numbers({
  ...{
    cero: 0,
    zero: 0,
    un: 1,
    uno: 1,
    una: 1,
    one: 1,
    dos: 2,
    two: 2,
    tres: 3,
    three: 3,
    cuatro: 4,
    four: 4,
  },
  ...{ cinco: 5, five: 5, seis: 6, six: 6, siete: 7, seven: 7, ocho: 8, eight: 8, nueve: 9, nine: 9 },
  ...{ diez: 10, ten: 10 },
  ...{
    once: 11,
    eleven: 11,
    doce: 12,
    twelve: 12,
    trece: 13,
    thirteen: 13,
    catorce: 14,
    fourteen: 14,
    quince: 15,
  },
  ...{ fifteen: 15, dieciseis: 16, sixteen: 16, diecisiete: 17, seventeen: 17, dieciocho: 18, eighteen: 18 },
  ...{ diecinueve: 19, nineteen: 19, veinte: 20, twenty: 20, veintiun: 21, veintiuno: 21, veintiuna: 21 },
  ...{ veintidos: 22, veintitres: 23, veinticuatro: 24, veinticinco: 25, veintiseis: 26, veintisiete: 27 },
  ...{
    veintiocho: 28,
    veintinueve: 29,
    treinta: 30,
    thirty: 30,
    cuarenta: 40,
    forty: 40,
    cincuenta: 50,
    fifty: 50,
  },
  ...{ sesenta: 60, sixty: 60, setenta: 70, seventy: 70, ochenta: 80, eighty: 80, noventa: 90, ninety: 90 },
  ...{ cien: 100, ciento: 100, doscientos: 200, doscientas: 200, trescientos: 300, trescientas: 300 },
  ...{
    cuatrocientos: 400,
    cuatrocientas: 400,
    quinientos: 500,
    quinientas: 500,
    seiscientos: 600,
    seiscientas: 600,
  },
  ...{
    setecientos: 700,
    setecientas: 700,
    ochocientos: 800,
    ochocientas: 800,
    novecientos: 900,
    novecientas: 900,
  },
});
const SCALES = numbers({
  ...{ hundred: 100, mil: 1000, thousand: 1000, millon: 1e6, millones: 1e6, million: 1e6 },
});

/** Words that count by so many: "dos docenas" is 24. */
const GROUPS = numbers({
  ...{
    dozen: 12,
    docena: 12,
    docenas: 12,
    decena: 10,
    decenas: 10,
    veintena: 20,
    treintena: 30,
    centenar: 100,
  },
  ...{ centenares: 100, millar: 1000, millares: 1000 },
});

/** Whether a number may as well be an article. */
export const isArticle = (word: string) => /^(?:un|una|uno|one)$/.test(word);

/** Words that are a number only together with others, and between two of them. */
const JOINT = /^(?:y|and)$/;

/** The number that begins with a word, and how many words it takes; none: length 0. */
export function runAt(
  words: readonly string[],
  start: number,
): { readonly value: number; readonly length: number } {
  let [total, part, length] = [0, 0, 0];
  for (let at = start; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [unit, scale, group] = [NUMBERS.get(word), SCALES.get(word), GROUPS.get(word)];
    if (unit !== undefined) part += unit;
    else if (group !== undefined) part = Math.max(1, part) * group;
    else if (scale === 100) part = Math.max(1, part) * 100;
    else if (scale !== undefined && (length > 0 || word === 'mil')) {
      total += Math.max(1, part) * scale;
      part = 0;
    } else if (!(length > 0 && JOINT.test(word) && isNumber(words[at + 1]) && isTens(words[at - 1]))) break;
    length = at - start + 1;
  }
  const value = total + part;
  const decimals = /^(?:coma|point)$/.test(words[start + length] ?? '')
    ? NUMBERS.get(words[start + length + 1] ?? '')
    : undefined;
  if (length === 0 || decimals === undefined) return { value, length };
  return { value: Number(`${value}.${decimals}`), length: length + 2 };
}

const isNumber = (word = '') => NUMBERS.has(word);
/** After which `y` or `and` goes on: "treinta y dos", "two hundred and five", not "dos y tres". */
const isTens = (word = '') =>
  word === 'hundred' || word === 'mil' || word === 'thousand' || (NUMBERS.get(word) ?? 0) >= 30;

/** A number in digits or in one word. */
export function numberOf(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word);
  return NUMBERS.get(foldedText(word));
}
