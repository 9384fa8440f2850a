type Words = readonly [message: string, fix: string, mensaje: string, arreglo: string];

/**
 * Every finding about a profile by its code: what is wrong and what to do, in English and in Spanish. `{0}` stands for the first
 * value. An empty fix: there is nothing to add.
 */
// biome-ignore format: a table, a finding in two lines
const FINDINGS = {
  unknown_member: ['unknown member', 'remove it, or look for a slip in its name',
    'este dato no existe en el formato', 'quítalo, o mira si su nombre tiene una errata'],
  missing: ['is missing', 'add it, as {0}',
    'falta', 'rellénalo, como {0}'],
  missing_cell: ['is missing', 'fill in the cell',
    'falta', 'rellena la celda'],
  wrong_kind: ['must be {0}', 'change the value',
    'debe ser {0}', 'cambia el valor'],
  empty: ['is empty', 'fill it in, or remove the member where it is optional',
    'está vacío', 'rellénalo, o quítalo donde es opcional'],
  too_short: ['is shorter than {0} characters', 'say more',
    'tiene menos de {0} caracteres', 'di algo más'],
  too_long: ['is longer than {0} characters', 'shorten it',
    'tiene más de {0} caracteres', 'acórtalo'],
  too_many: ['is longer than {0} entries', 'shorten it',
    'tiene más de {0} elementos', 'quita algunos'],
  too_small: ['must be at least {0}', 'change the value',
    'debe ser {0} como mínimo', 'cambia el valor'],
  too_big: ['must be at most {0}', 'change the value',
    'debe ser {0} como máximo', 'cambia el valor'],
  not_listed: ['must be one of {0}', 'choose one of them',
    'debe ser uno de estos: {0}', 'elige uno'],
  language_key: ['must be a language tag', 'write it like "es" or "en-GB"',
    'debe ser un código de idioma', 'escríbelo como "es" o "en-GB"'],
  language_tag: ['must be a language tag, like es or en-GB', 'change the value',
    'debe ser un código de idioma, como es o en-GB', 'cambia el valor'],
  figure_or_text: ['must be a number, or a text of some characters', 'write a number, or a text in double quotes',
    'debe ser un número, o un texto corto', 'escribe un número o un texto'],
  id_form: ['may have letters, digits, dot, dash and underscore, and begins with one of the first two', 'change the value',
    'puede tener letras, cifras, punto, guion y guion bajo, y empieza por letra o cifra', 'cambia el valor'],
  brand_id_form: ['may have the letters a to z in lower case, digits and underscore', 'change the value',
    'puede tener letras minúsculas de la a a la z, cifras y guion bajo', 'cambia el valor'],
  base64url: ['must be base64url without padding', 'change the value',
    'debe ser base64url sin relleno', 'cambia el valor'],
  date_time: ['must be a date and time with its zone, like 2026-11-01T00:00:00Z', 'change the value',
    'debe ser una fecha y hora con su zona, como 2026-11-01T00:00:00Z', 'cambia el valor'],
  no_name: ['must have a name', 'change the value',
    'debe tener un nombre', 'cambia el valor'],
  web_address: ['must be an http or https address', 'change the value',
    'debe ser una dirección http o https', 'cambia el valor'],
  blank: ['is blank', 'change the value',
    'está en blanco', 'cambia el valor'],
  other: ['{0}', 'change the value',
    '{0}', 'cambia el valor'],
  too_many_bytes: ['is {0} bytes long, at most {1} are accepted', 'split the profile or shorten its texts',
    'ocupa {0} bytes, y se aceptan {1} como máximo', 'reparte el perfil o acorta sus textos'],

  dates_reversed: ['is not after issued_at', 'aval sign --renew 1y sets both',
    'no es posterior al inicio de la validez', 'firma el perfil de nuevo, válido un año (aval sign --renew 1y)'],
  used_twice: ['used twice', 'give each its own id, and list each once',
    'está repetido', 'da a cada uno su propio id, y ponlo una sola vez'],
  no_such_proof: ['no such proof', 'add a proof with the id {0}, or remove the link',
    'no existe esa prueba', 'añade una prueba con el id {0}, o quita el enlace'],
  no_such_claim: ['no such claim', 'name the claim that answers the question, or remove the question',
    'no existe esa afirmación', 'elige la afirmación que responde la pregunta, o quita la pregunta'],
  no_words: ['has no words in the language of the profile ({0})', 'add them as "{0}"',
    'no tiene textos en el idioma del perfil ({0})', 'añádelos como "{0}"'],
  public_client: ['names a client whom a public proof names, though this proof is not public',
    'describe the client instead: "a maker of canned food, Galicia"; or make the proof public',
    'nombra a un cliente que sale en una prueba pública, y esta prueba no es pública',
    'describe al cliente: «fabricante de conservas, Galicia»; o haz pública la prueba'],
  maybe_client: ['seems to name a client, though the proof is {0}: everybody reads the profile',
    'describe the client where this is a name: "Fabricante de conservas, Galicia"; else leave it',
    'parece nombrar a un cliente, y la prueba es {0}: todo el mundo lee el perfil',
    'si es un nombre, describe al cliente: «fabricante de conservas, Galicia»; si no, déjalo'],
  listed_name: ['says “{0}”, which may not be published: never-publish.txt', 'take the name out',
    'dice «{0}», que está en tu lista never-publish.txt y no se puede publicar', 'quita el nombre'],
  client_name: ['says “{0}”, which may not be published: the client of {1}', 'where this is a name, take it out or make the proof public; else leave it',
    'dice «{0}», que no se puede publicar: es el cliente de {1}', 'si es un nombre, quítalo o haz pública la prueba; si no, déjalo'],

  expired: ['the profile expired at {0}', 'review the claims, then aval sign FILE --key KEY --renew 1y',
    'el perfil caducó el {0}', 'revisa las afirmaciones y firma de nuevo, válido un año: aval sign FILE --key KEY --renew 1y'],
  not_yet_valid: ['the profile is not valid before {0}', '',
    'el perfil no es válido antes del {0}', ''],
  expires_today: ['expires today: from then on nothing is answered from it', 'review the claims, then aval sign FILE --key KEY --renew 1y',
    'caduca hoy: después no responde nada', 'revisa las afirmaciones y firma de nuevo, válido un año: aval sign FILE --key KEY --renew 1y'],
  expires_tomorrow: ['expires tomorrow: from then on nothing is answered from it', 'review the claims, then aval sign FILE --key KEY --renew 1y',
    'caduca mañana: después no responde nada', 'revisa las afirmaciones y firma de nuevo, válido un año: aval sign FILE --key KEY --renew 1y'],
  expires_soon: ['expires in {0} days: from then on nothing is answered from it', 'review the claims, then aval sign FILE --key KEY --renew 1y',
    'caduca en {0} días: después no responde nada', 'revisa las afirmaciones y firma de nuevo, válido un año: aval sign FILE --key KEY --renew 1y'],
  unsigned: ['the profile is not signed', 'aval sign FILE --key KEY',
    'el perfil no está firmado', 'aval sign FILE --key KEY'],
  void_signature: ['the signature is void: {0}', 'aval sign FILE --key KEY, when the changes are done',
    'la firma ya no vale: el texto cambió después, o la clave no es la tuya', 'aval sign FILE --key KEY, cuando acabes los cambios'],

  figure_unsaid: ['the statement does not say {0}', 'let the statement and the metric say the same figure in the same unit',
    'la afirmación no dice {0}', 'la afirmación y la cifra deben decir lo mismo en la misma unidad'],
  figure_unit: ['says {0}, and the statement says {1} in another unit ({2})', 'let the statement and the metric say the same figure in the same unit',
    'dice {0}, y la afirmación dice {1} en otra unidad ({2})', 'la afirmación y la cifra deben decir lo mismo en la misma unidad'],
  figure_differs: ['says {0}, and the statement says {1}', 'let the statement and the metric say the same figure in the same unit',
    'dice {0}, y la afirmación dice {1}', 'la afirmación y la cifra deben decir lo mismo en la misma unidad'],
  question_elsewhere: ['{0} comes first, not {1}: the question is not shown as an example', 'reword the question or the claim',
    '{0} sale antes que {1}: la pregunta no se enseña como ejemplo', 'cambia las palabras de la pregunta o de la afirmación'],
  question_weak: ['{0} does not answer it clearly: the question is not shown as an example', 'reword the question or the claim',
    '{0} no la responde con claridad: la pregunta no se enseña como ejemplo', 'cambia las palabras de la pregunta o de la afirmación'],
  near_duplicate: ['says nearly the same as {0}', 'merge the two, or say what sets them apart',
    'dice casi lo mismo que {0}', 'une las dos, o di qué las distingue'],
  unused_proof: ['no claim names it, so no answer shows it', 'put its id into the proof_ids of a claim, or remove it',
    'ninguna afirmación la nombra, así que ninguna respuesta la enseña', 'márcala en las pruebas de una afirmación, o quítala'],
  no_color: ['{0} is no colour that the pages can show', 'write it as #rrggbb, such as #0a5f57',
    '{0} no es un color que las páginas puedan usar', 'escríbelo como #rrggbb, por ejemplo #0a5f57'],
  no_privacy_link: ['is no address that the forms can link to', 'write it whole, such as https://brand.example/privacy',
    'no es una dirección que los formularios puedan enlazar', 'escríbela entera, como https://marca.example/privacidad'],
  no_language: ['{0} is no language tag', 'write es for Spanish, en for English, pt-BR for Brazilian Portuguese',
    '{0} no es un código de idioma', 'escribe es para español, en para inglés, pt-BR para portugués de Brasil'],
  same_boundary: ['says the same as applicable_for', 'say in a sentence for whom the claim holds, and for whom it does not',
    'dice lo mismo que «Se aplica a»', 'di en una frase para quién vale la afirmación y para quién no'],
  open_boundary: ['excludes nothing: an agent cannot tell when not to use the claim', 'say in a sentence for whom the claim holds, and for whom it does not',
    'no excluye nada: un agente no sabe cuándo no debe usar la afirmación', 'di en una frase para quién vale la afirmación y para quién no'],
  short_boundary: ['too short to tell anything', 'say in a sentence for whom the claim holds, and for whom it does not',
    'es demasiado corto para decir algo', 'di en una frase para quién vale la afirmación y para quién no'],
  confidence_word: ['{0} is no word that agents know', 'write high, medium or low',
    '{0} no es una palabra que los agentes conozcan', 'elige alta, media o baja'],
  high_without_proof: ['says high, and no proof stands behind it', 'name a proof in proof_ids, or say medium',
    'dice alta, y no hay ninguna prueba detrás', 'marca una prueba, o di media'],
  no_figure: ['has no figure, and a claim with one answers more questions', 'say how much, how many or by when; and add a metric with its window and baseline',
    'no tiene cifra; con una responde más preguntas', 'di cuánto, cuántos o cuándo, y rellena la cifra con su periodo y su comparación'],
  example: ['an example that aval init wrote', 'replace it with a claim of yours',
    'es un ejemplo que escribió aval init', 'cámbialo por una afirmación tuya'],

  json_unreadable: ['not JSON', 'look at the text here', 'no es JSON', 'mira el texto aquí'],
  json_bom: ['begins with a byte order mark', 'save the file as UTF-8 without BOM',
    'empieza con una marca de orden de bytes', 'guarda el archivo en UTF-8 sin BOM'],
  json_not_utf8: ['is not UTF-8', 'save the file as UTF-8', 'no está en UTF-8', 'guarda el archivo en UTF-8'],
  json_surrogate: ['half of a surrogate pair', 'write the whole character', 'es medio carácter', 'escribe el carácter entero'],
  json_deep: ['nested deeper than {0} levels', 'flatten it', 'tiene más de {0} niveles', 'quita niveles'],
  json_same_name: ['the same name twice in one object', 'keep one of the two', 'el mismo nombre sale dos veces en un objeto', 'deja uno de los dos'],
  json_proto: ['a name that libraries read differently', 'rename it', 'es un nombre que cada programa lee a su manera', 'cámbialo'],
  json_huge: ['a number too large for any reader', 'write it as text', 'es un número demasiado grande', 'escríbelo como texto'],
  json_rounded: ['an integer beyond 9007199254740991, which readers round', 'write it as text',
    'es un entero mayor que 9007199254740991, y se redondearía', 'escríbelo como texto'],
  json_digits: ['a number with more digits than readers keep', 'write {0}', 'es un número con más cifras de las que se conservan', 'escribe {0}'],
  json_word: ['a word that JSON does not know', 'put texts in double quotes', 'es una palabra que JSON no conoce', 'pon los textos entre comillas dobles'],
  json_number: ['not a number', 'put texts in double quotes', 'no es un número', 'pon los textos entre comillas dobles'],
  json_name: ['expected a member name in double quotes', 'write "name": before the value', 'aquí va un nombre entre comillas dobles', 'escribe "nombre": delante del valor'],
  json_value: ['expected a value', 'write one, or remove the comma before it', 'aquí va un valor', 'escríbelo, o quita la coma de delante'],
  json_colon: ['expected ":" after the name', 'write "name": value', 'falta ":" después del nombre', 'escribe "nombre": valor'],
  json_comma: ['expected a comma', 'put one between two entries', 'falta una coma', 'ponla entre los dos elementos'],
  json_brace: ['a "{" without its "}"', 'close it', 'hay una "{" sin su "}"', 'ciérrala'],
  json_bracket: ['a "[" without its "]"', 'close it', 'hay un "[" sin su "]"', 'ciérralo'],
  json_rest: ['text after the end of the document', 'remove it', 'hay texto después del final', 'quítalo'],
  json_comment: ['a comment, which JSON does not have', 'remove it', 'es un comentario, y JSON no los tiene', 'quítalo'],
  json_quote: ['a text without its closing quote', 'end it with " on the same line; a line break is \\n',
    'es un texto sin comilla final', 'ciérralo con " en la misma línea; un salto de línea es \\n'],
  json_half_number: ['a number that stops halfway', 'finish it', 'es un número a medias', 'complétalo'],
  json_unicode: ['an unfinished \\u escape', 'write the character itself', 'es un \\u sin terminar', 'escribe el carácter'],
  json_escape: ['an unknown escape inside a text', 'write \\\\ for a backslash', 'hay una barra invertida que no se entiende', 'escribe \\\\ para una barra invertida'],
  json_control: ['a control character inside a text', 'remove it; a tab is \\t', 'hay un carácter de control en un texto', 'quítalo; un tabulador es \\t'],

  faults_first: ['the profile has faults: mend them first', '', 'el perfil tiene fallos: arréglalos primero', ''],
  no_member: ['there is no such member', '', 'ese dato no existe', ''],
  no_entry: ['there is no entry {0}', '', 'el elemento {0} no existe', ''],
} as const satisfies Readonly<Record<string, Words>>;

export type FindingCode = keyof typeof FINDINGS;

/** A fact without words: what was found, and what fills the gaps of its sentence. `@public` is a word of WORDS, in each language. */
export interface Found {
  readonly code: FindingCode;
  readonly values: readonly string[];
}

export const isFindingCode = (text: string): text is FindingCode => Object.hasOwn(FINDINGS, text);

/** What is wrong and what to do, in Spanish for `es` and its regions, else in English. */
export function wordsOfFinding({ code, values }: Found, language: string): { message: string; fix?: string } {
  const isSpanish = /^es\b/i.test(language);
  const [message, fix, mensaje, arreglo] = FINDINGS[code];
  const filled = (text: string) =>
    text.replace(/\{(\d)\}/g, (_, at) => {
      const value = values[Number(at)] ?? '';
      return WORDS[value]?.[isSpanish ? 1 : 0] ?? value;
    });
  const help = filled(isSpanish ? arreglo : fix);
  return { message: filled(isSpanish ? mensaje : message), ...(help !== '' && { fix: help }) };
}

const WORDS: Readonly<Record<string, readonly [english: string, spanish: string]>> = {
  '@string': ['a text in double quotes', 'un texto entre comillas dobles'],
  '@number': ['a number without quotes', 'un número sin comillas'],
  '@int': ['a whole number without quotes', 'un número entero sin comillas'],
  '@boolean': ['true or false, without quotes', 'true (sí) o false (no), sin comillas'],
  '@array': ['a list in [ ]', 'una lista entre [ ]'],
  '@object': ['an object in { }', 'un grupo de datos entre { }'],
  '@record': ['an object in { }', 'un grupo de datos entre { }'],
  '@public': ['public', 'pública'],
  '@anonymised': ['anonymised', 'anonimizada'],
  '@on_request': ['on_request', 'a petición'],
  '@confidential': ['confidential', 'confidencial'],
  '@not_public': ['not public', 'no pública'],
};
