/** Words are bounded by what is no letter, since `\b` takes ñ and á for ends of words. */
const words = (list: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'iu');

/** Of a price, an exclusion, a guarantee and a term that no figure states. */
const SIGNS: readonly RegExp[] = [
  words('gratis|gratuit[oa]s?|sin coste|sin cargo|free of charge|for free|at no cost|no charge|no fees?'),
  words(
    'no (?:se )?(?:atend|acept|admit|hac|incluy|cubr|trat|trabaj|ofrec|vend|realiz|aplic|serv|env|repar|devol|part|cobr|financ|garant)\\p{L}*|excepto|salvo|quedan? excluid[oa]s?|no está(?:n)? incluid[oa]s?|solo|sólo|únicamente|exclu\\p{L}+|' +
      "(?:do|does|is|are|will|can) ?not|don't|doesn't|isn't|aren't|won't|can't|cannot|we never|except|only|not included|unless|without",
  ),
  words(
    'garant\\p{L}+|devol(?:vemos|ución|uciones|verá)\\p{L}*|reembols\\p{L}+|asegurad[oa]s?|certific\\p{L}+|colegiad[oa]s?|nos comprometemos|compromiso|homologad[oa]s?|titulad[oa]s?|' +
      'guarantee\\p{L}*|warrant\\p{L}+|refund\\p{L}*|money back|certified|insured|licensed|accredited',
  ),
  words(
    'plazos?|días?|horas?|minutos?|semanas?|meses|mes|años?|laborables?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|festivos?|antes de|máximo|mínimo|cancel\\p{L}+|anul\\p{L}+|permanencia|' +
      'deadlines?|days?|hours?|minutes?|weeks?|months?|years?|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekends?|within|at most|at least|cancel\\p{L}*|notice',
  ),
];

/** Numbers that name nothing that a brand claims: a phone number, an address, a copyright year. */
const NO_FIGURE =
  /©|copyright|(?:tel(?:éfono|ephone)?|phone|fax|whatsapp)\.?:? ?\+?\d|^\+?[\d\s().-]{6,}$|^\d{1,2}\/\d{1,2}\/\d{2,4}|:\/\//i;

/** Whether a sentence tells what a claim could say: a figure, a price, a term, a guarantee or an exclusion. */
export function isTelling(sentence: string): boolean {
  if (NO_FIGURE.test(sentence)) return false;
  return /\p{N}/u.test(sentence) || SIGNS.some(sign => sign.test(sentence));
}
