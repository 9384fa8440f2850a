import { LRUCache } from 'lru-cache';
import { wordsOf } from '../profile/folded-text.ts';
import type { TokenTable } from './embedder.ts';

/** Words that ask or join without saying what about; accents are folded away. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a al algo ante aqui asi aun aunque bajo bien cada como con contra cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde dos
e el ella ellas ellos en entonces entre era eran eres es esa esas ese eso esos esta estan estar estas este esto estos estoy fue
fueron gracias ha hace hacia han has hasta hay he hola la las le les lo los mas me mi mis mucho muy nada ni no nos nosotros nuestra nuestro o os
otra otro para pero poco por porque pues que quien quienes se sea ser si sin sobre sois somos son soy su sus tal tambien tan te tener
ti tiene tienen tienes todo tu tus u un una unas uno unos usted ustedes va vamos van vosotros voy y ya yo
about after all also am an and any are as at be been before but by can could did do does doing for from get had has have having he hello her
here hi him his how i if in into is it its just let like many may me might more most much must my no not now of off on one only or other
our out over own please same she should so some such than thank thanks that the their them then there these they this those through to too under
up us very was we were what when where which while who whom whose why will with would yes you your`.split(
    /\s+/,
  ),
);

/** `Who are you?`, `¿Dónde estáis?`: who is asked is what the question is about. */
const ASKING = new Set([
  'quien',
  'quienes',
  'que',
  'donde',
  'como',
  'cuando',
  'who',
  'what',
  'where',
  'how',
  'when',
]);
const ASKED = new Set(['sois', 'vosotros', 'ustedes', 'usted', 'you', 'your']);

/** Of this many characters on, a piece of a word is read as a part of a name, and not as a random one. */
const READABLE = 4;

/** Most words of most questions are the same. */
const WORDS_KEPT = 4000;

/** One character, or a number of two digits: they stand in every text. */
const SLIGHT = /^(.|\d\d)$/u;

/**
 * Whether a text asks about anything: whether it has a word that is no function word and that the model can read, or the profile
 * has. Letters struck at random and other scripts ask for nothing, whatever they happen to resemble.
 */
export function createContentTest(table: TokenTable | undefined, occurs: (word: string) => boolean) {
  const isReadable = (word: string): boolean => {
    const pieces = table?.tokenize(word) ?? [0];
    return (
      pieces.length === 1 ||
      pieces.some(piece => (table?.word(piece).replace(/^##/, '').length ?? 0) >= READABLE)
    );
  };
  const known = new LRUCache<string, boolean>({ max: WORDS_KEPT });
  const says = (word: string): boolean => {
    const kept = known.get(word);
    if (kept !== undefined) return kept;
    const found = !FUNCTION_WORDS.has(word) && !SLIGHT.test(word) && (isReadable(word) || occurs(word));
    known.set(word, found);
    return found;
  };
  return (query: string): boolean => {
    const words = wordsOf(query);
    return words.some(says) || [ASKING, ASKED].every(some => words.some(word => some.has(word)));
  };
}
