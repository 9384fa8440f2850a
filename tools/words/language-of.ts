/** Words of every other sentence in one of the two languages, and of none in the other. */
const TELLING = {
  es: setOf(
    'el la los las de del que qué cuánto cuanto cuántos cuánta cuesta cómo como para con por una un en y es son se si no mi me te tu os su sus hay hacéis tenéis trabajáis quién dónde cuál pero más al lo',
  ),
  en: setOf(
    'the of what how much many do does you your our we with for and is are in to i my can which who where when why it on at be have will would if from about',
  ),
};

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** `es` or `en` by its little words, `?` where they do not tell: three words of a keyword search. */
export function languageOf(text: string): 'es' | 'en' | '?' {
  if (/[¿¡ñ]/i.test(text)) return 'es';
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const [es, en] = [TELLING.es, TELLING.en].map(telling => words.filter(word => telling.has(word)).length);
  if (es === en) return '?';
  return (es ?? 0) > (en ?? 0) ? 'es' : 'en';
}
