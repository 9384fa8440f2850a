import { type Fault, fault, jsonPath } from './fault.ts';
import { wordsOf } from './folded-text.ts';
import type { Proof } from './schema.ts';

/** A warning for each proof that is not public and whose client looks like a name; `at` is its position in the profile. */
export function clientWarnings(proofs: readonly { at: number; part: Proof }[], language: string): Fault[] {
  const publicClients = proofs.flatMap(({ part: { client, confidentiality } }) =>
    confidentiality === 'public' && looksNamed(client, language) ? client : [],
  );
  return proofs.flatMap(({ at, part: { client, confidentiality } }) => {
    if (confidentiality === 'public' || !isNamed(client, language, publicClients)) return [];
    return [fault(jsonPath(['proofs', at, 'client']), 'maybe_client', `@${confidentiality}`)];
  });
}

/**
 * Whether the `client` of a proof that is not public names somebody, where it may only describe: "Fabricante de detergentes,
 * Comunidad Valenciana". A guess, made to miss nothing obvious, and wrong at times: it warns, and stops nothing. It says yes when
 * - the text contains a client that a public proof names, whatever the accents and the case;
 * - it carries a legal form: S.L., S.A., GmbH, Ltd, Inc…;
 * - before the first comma it is one capitalised word ("Valdecuervo"), or a capital begins any word but the first ("Aceites
 *   Valdecuervo"). What follows the comma may be places. German, which capitalises every noun, is spared this third rule.
 */
function isNamed(client: string, language: string, publicClients: readonly string[]): boolean {
  const words = plainWords(client);
  return publicClients.some(name => words.includes(plainWords(name))) || looksNamed(client, language);
}

/** The second and the third rule: whether a text, on its own, has the form of a name. */
export function looksNamed(client: string, language: string): boolean {
  if (LEGAL_FORM.test(client)) return true;
  if (isDescription(client)) return false;
  return !/^de\b/i.test(language) && looksLikeName(client.split(',')[0] ?? '');
}

/** The legal form of a company: S.L., GmbH, Ltd. */
export const LEGAL_FORM =
  /(?<![\p{L}\p{N}])(?:S\.? ?[AL]\.?(?: ?U\.?)?|S\. ?(?:de )?R\. ?L\.?|SRL|S\. ?Coop\.?|S\.?A\.?S\.?|SARL|S\.p\.A\.|GmbH|AG|KG|Ltda?\.?|Lda\.?|Limited|LLC|L\.L\.C\.|LLP|PLC|plc|Inc\.?|Corp\.?|B\.?V\.?|N\.V\.|Oy|ApS)(?![\p{L}\p{N}])/u;

/** Whether a client is the brand itself, whose own papers may prove its claims. @param names by language, as the profile has them */
export function isOwnName(client: string, names: readonly Readonly<Record<string, string>>[]): boolean {
  const own = names
    .flatMap(name => Object.values(name))
    .map(name => plainWords(name.replace(LEGAL_FORM, '')));
  return own.some(name => name.trim() !== '' && plainWords(client).includes(name));
}

/** Lower-case words without accents, each between single spaces, so that only whole words are found in each other. */
export const plainWords = (text: string): string => ` ${wordsOf(text).join(' ')} `;

/** "12 schools, Sheffield", "Un hotel de Murcia", "Owners in the Peak District": the capitals are those of places. */
function isDescription(client: string): boolean {
  const begun = client.trim().replace(/^\p{L}/u, first => first.toLowerCase());
  return (COUNTED.test(begun) || PEOPLE.test(begun)) && !NAMED_AFTER.test(begun);
}

const COUNTED =
  /^(?:\d[\d.,]*|an?|una?|unos|unas|vari[oa]s|dos|tres|cuatro|cinco|seis|several|some|two|three|four|five|six) \p{Ll}[\p{L}-]*(?![\p{L}-]| \p{Lu})/u;
/** Whom one works for, and who makes what: never a name unless a capital follows at once. */
const PEOPLE =
  /^(?:\p{Ll}+ )?(?:viviendas|comunidades|comunidad de (?:vecinos|propietarios)|colegios|institutos|clientes|propietari[oa]s|familias|particulares|pacientes|alumn[oa]s|hoteles|restaurantes|bares|cl[íi]nicas|empresas|pymes|talleres|tiendas|comercios|oficinas?|despachos|ayuntamientos|hospitales|farmacias|panader[íi]as|fabricantes?|distribuidor(?:es)?|productor(?:es|a)?|cadena|cooperativas|agricultores|owners|clients|customers|tenants|landlords|families|patients|pupils|schools|colleges|homes|households|hotels|restaurants|companies|firms|shops|offices|clinics|hospitals|councils|farms|farmers|bakeries|makers?|manufacturers?|producers?|retailers?|distributors?)(?![\p{L}-]| \p{Lu}| (?:e|y|and|&) \p{Lu})/u;
/** "Clients such as Pennant Foods". */
const NAMED_AFTER = /(?<!\p{L})(?:como|tales|llamad[oa]s?|such as|like|called|named|including)(?!\p{L})|:/u;

function looksLikeName(text: string): boolean {
  const described = text.replace(IN_A_REGION, '');
  const [first = '', ...rest] = described.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.-]*/gu) ?? [];
  if (rest.length === 0 && described !== text) return false;
  return (rest.length === 0 ? [first] : rest).some(word => /^\p{Lu}/u.test(word));
}

/** "Bodega de La Rioja": a region after a preposition describes. */
const IN_A_REGION =
  /(?<=\p{L}) (?:del?|en|of|in|from) (?:(?:la |las |el |the )?(?:provincia|comunidad|province) de )?(?:Andaluc[íi]a|Arag[óo]n|Asturias|Baleares|Canarias|Cantabria|Castilla(?: y Le[óo]n|-La Mancha| La Mancha)?|Catalu[ñn]a|Extremadura|Galicia|La Rioja|Navarra|(?:el )?Pa[íi]s Vasco|Euskadi|Madrid|Murcia|Valencia|Alicante|Sevilla|M[áa]laga|C[áa]diz|Granada|Zaragoza|Huesca|Teruel|Bizkaia|Vizcaya|Gipuzkoa|Barcelona|Girona|Tarragona|Lleida|Toledo|Burgos|Valladolid|Salamanca|España|Spain|Portugal)(?!\p{L})/gu;
