import { ES } from './es.ts';

/**
 * What the check says and what it advises, in Spanish. `{}` stands for what is filled in; the first row that fits counts. The test of
 * the studio provokes each row, so a message that changes is missed here.
 */
export const FINDINGS_ES: Readonly<Record<string, string>> = {
  'unknown member': 'este dato no existe en el formato',
  'remove it, or look for a slip in its name': 'quítalo, o mira si su nombre tiene una errata',
  'is missing': 'falta',
  'add it, as {}': 'rellénalo',
  'must be a text in double quotes': 'debe ser un texto',
  'must be a number without quotes': 'debe ser un número',
  'must be a whole number without quotes': 'debe ser un número entero',
  'must be true or false, without quotes': 'debe ser sí o no',
  'must be a list in [ ]': 'debe ser una lista',
  'must be an object in { }': 'debe ser un grupo de datos con nombre',
  'change the value': 'cambia el valor',
  'is empty': 'está vacío',
  'fill it in, or remove the member where it is optional': 'rellénalo, o quítalo donde es opcional',
  'must be at least {}': 'debe ser {} como mínimo',
  'is longer than {} characters': 'tiene más de {} caracteres',
  'is longer than {} entries': 'tiene más de {} elementos',
  'is longer than {}': 'es mayor que {}',
  'shorten it': 'redúcelo',
  'must be one of {}': 'debe ser uno de estos: {}',
  'choose one of them': 'elige uno',
  'must be a language tag': 'debe ser un código de idioma',
  'must be a language tag, like es or en-GB': 'debe ser un código de idioma, como es o en-GB',
  'write it like "es" or "en-GB"': 'escríbelo como "es" o "en-GB"',
  'must be a number, or a text of some characters': 'debe ser un número, o un texto corto',
  'write a number, or a text in double quotes': 'escribe un número o un texto',
  'may have letters, digits, dot, dash and underscore, and begins with one of the first two':
    'puede tener letras, cifras, punto, guion y guion bajo, y empieza por letra o cifra',
  'may have the letters a to z in lower case, digits and underscore':
    'puede tener letras minúsculas de la a a la z, cifras y guion bajo',
  'must be base64url without padding': 'debe ser base64url sin relleno',
  'must be a date and time with its zone, like {}': 'debe ser una fecha y hora con su zona, como {}',
  'must have a name': 'debe tener un nombre',
  'must be an http or https address': 'debe ser una dirección http o https',
  'is blank': 'está en blanco',
  'is not after issued_at': 'no es posterior al inicio de la validez',
  'aval sign --renew 1y sets both': '«Firmar, válido un año» pone las dos fechas',
  'used twice': 'está repetido',
  'give each its own id, and list each once': 'da a cada uno su propio id, y ponlo una sola vez',
  'no such proof': 'no existe esa prueba',
  'add a proof with the id {}, or remove the link': 'añade una prueba con el id {}, o quita el enlace',
  'no such claim': 'no existe esa afirmación',
  'name the claim that answers the question, or remove the question':
    'elige la afirmación que responde la pregunta, o quita la pregunta',
  'has no words in the language of the profile ({})': 'no tiene textos en el idioma del perfil ({})',
  'add them as {}': 'añádelos como {}',
  'names a client whom a public proof names, though this proof is not public':
    'nombra a un cliente que sale en una prueba pública, y esta prueba no es pública',
  'describe the client instead: "a maker of canned food, Galicia"; or make the proof public':
    'describe al cliente: «fabricante de conservas, Galicia»; o haz pública la prueba',
  'the profile expired at {}': 'el perfil caducó el {}',
  'the profile is not valid before {}': 'el perfil no es válido antes del {}',
  'expires today: from then on nothing is answered from it': 'caduca hoy: después no responde nada',
  'expires tomorrow: from then on nothing is answered from it': 'caduca mañana: después no responde nada',
  'expires in {} days: from then on nothing is answered from it': 'caduca en {} días: después no responde nada',
  'review the claims, then aval sign FILE --key KEY --renew 1y':
    'revisa las afirmaciones y firma de nuevo, válido un año',
  'names a company ({}), though the proof is {}': 'nombra a una empresa ({}), y la prueba es {}',
  'describe the client instead: "a maker of canned food, Galicia"':
    'describe al cliente: «fabricante de conservas, Galicia»',
  'says “{}”, which may not be published: never-publish.txt':
    'dice «{}», que está en tu lista never-publish.txt y no se puede publicar',
  'says “{}”, which may not be published: the client of {}': 'dice «{}», que no se puede publicar: es el cliente de {}',
  'take the name out, or make the proof public': 'quita el nombre, o haz pública la prueba',
  'where this is a name, take it out; else leave it': 'si es un nombre, quítalo; si no, déjalo',
  'the statement does not say {}': 'la afirmación no dice {}',
  'says {}, and the statement says {} in another unit ({})': 'dice {}, y la afirmación dice {} en otra unidad ({})',
  'says {}, and the statement says {}': 'dice {}, y la afirmación dice {}',
  'let the statement and the metric say the same figure in the same unit':
    'la afirmación y la cifra deben decir lo mismo en la misma unidad',
  'seems to name a client, though the proof is {}: everybody reads the profile':
    'parece nombrar a un cliente, y la prueba es {}: todo el mundo lee el perfil',
  'describe the client where this is a name: "Fabricante de conservas, Galicia"; else leave it':
    'si es un nombre, describe al cliente: «fabricante de conservas, Galicia»; si no, déjalo',
  'no claim names it, so no answer shows it': 'ninguna afirmación la nombra, así que ninguna respuesta la enseña',
  'put its id into the proof_ids of a claim, or remove it': 'márcala en las pruebas de una afirmación, o quítala',
  '{} is no colour that the pages can show': '{} no es un color que las páginas puedan usar',
  'write it as #rrggbb, such as #0a5f57': 'escríbelo como #rrggbb, por ejemplo #0a5f57',
  'is no address that the forms can link to': 'no es una dirección que los formularios puedan enlazar',
  'write it whole, such as https://brand.example/privacy': 'escríbela entera, como https://marca.example/privacidad',
  'says the same as applicable_for': 'dice lo mismo que «Se aplica a»',
  'excludes nothing: an agent cannot tell when not to use the claim':
    'no excluye nada: un agente no sabe cuándo no debe usar la afirmación',
  'too short to tell anything': 'es demasiado corto para decir algo',
  'say in a sentence for whom the claim holds, and for whom it does not':
    'di en una frase para quién vale la afirmación y para quién no',
  '{} is no word that agents know': '{} no es una palabra que los agentes conozcan',
  'write high, medium or low': 'elige alta, media o baja',
  'says high, and no proof stands behind it': 'dice alta, y no hay ninguna prueba detrás',
  'name a proof in proof_ids, or say medium': 'marca una prueba, o di media',
  'has no figure, and a claim with one answers more questions': 'no tiene cifra; con una responde más preguntas',
  'say how much, how many or by when; and add a metric with its window and baseline':
    'di cuánto, cuántos o cuándo, y rellena la cifra con su periodo y su comparación',
  'an example that aval init wrote': 'es un ejemplo que escribió aval init',
  'replace it with a claim of yours': 'cámbialo por una afirmación tuya',
  'the profile has faults: mend them first': 'el perfil tiene fallos: arréglalos primero',
  'there is no such member': 'ese dato no existe',
  'there is no entry {}': 'el elemento {} no existe',
};

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const ROWS = Object.entries(FINDINGS_ES).map(([english, spanish]) => ({
  fits: new RegExp(`^${english.split('{}').map(literal).join('(.+)')}$`, 'u'),
  spanish,
}));

/** A message of the check in Spanish; undefined for one that no row knows. */
export function inSpanish(message: string): string | undefined {
  const known = FINDINGS_ES[message];
  if (known !== undefined) return known;
  for (const { fits, spanish } of ROWS) {
    const [, ...filled] = fits.exec(message) ?? [];
    if (filled.length > 0)
      return spanish.split('{}').reduce((text, piece, at) => `${text}${word(filled[at - 1])}${piece}`);
  }
  return undefined;
}

/** `on_request` stands in a sentence as on its button. */
const word = (filled = '') => (filled === 'not public' ? 'no pública' : (ES.choices[filled]?.toLowerCase() ?? filled));
