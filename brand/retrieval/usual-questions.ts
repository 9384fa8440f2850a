import { wordsOf } from '../profile/folded-text.ts';

/** How people greet before they ask. */
const GREETING =
  '(?:(?:hola|buenas|buenos dias|buenas tardes|hi|hello|hey|please|por favor|perdon|oye|disculpa|excuse me) )*';

/** How people end a question. */
const THANKS = '(?: por favor| gracias| please| thanks| thank you)*';

/** One of these questions, folded and with `@` for the brand's name, and nothing else. */
const oneOf = (questions: readonly string[]): RegExp =>
  new RegExp(`^${GREETING}(?:${questions.join('|')})${THANKS}$`);

const ABOUT_BRAND = oneOf([
  // Spanish
  'que (?:es|hace|haceis|hacen|ofrece|ofreceis|ofrecen|sois|vende|vendeis|venden)(?: exactamente)?(?: vosotros| ustedes| (?:en |la |el )?@)?',
  '(?:quien|quienes|que) (?:es|sois|son|eres)(?: vosotros| ustedes| usted| (?:la |el )?@)?',
  'a que (?:os|se|te) (?:dedicais|dedican|dedica|dedicas)(?: vosotros| ustedes| @)?',
  'en que (?:me |nos )?(?:podeis|pueden|puedes|puede) ayudar(?:me|nos)?(?: @)?',
  '(?:cuentame|cuenteme|hablame|habladme|informacion|info|dime)(?: algo| mas)? (?:de|sobre|acerca de) (?:vosotros|ustedes|ti|la empresa|@)',
  '(?:sobre|acerca de) (?:vosotros|ustedes|ti|nosotros|la empresa|@)',
  // English
  'what (?:do|does|can) (?:you|you guys|@|they|your company|the company|this company) (?:do|offer|sell|make)(?: exactly| for me| for us)?',
  '(?:who|what) (?:are|is|s) (?:you|you guys|@|this|this company|your company|the company)(?: exactly| about)?',
  '(?:who|what) (?:you|@) (?:are|is)',
  'what (?:is|s) (?:it|this|@|your company|your business)(?: all)? about',
  'how (?:can|do) (?:you|@) help(?: me| us)?',
  'what kind of (?:company|business|firm|agency) (?:are|is) (?:you|this|@)(?: guys)?',
  '(?:tell me|info|information)(?: something| more)? (?:about|on) (?:you|yourself|yourselves|your company|the company|@)',
  'about(?: you| us| @| your company| the company)?',
  '@',
]);

const PERSON = oneOf([
  // Spanish
  '(?:(?:quiero|quisiera|queria|necesito|me gustaria|puedo|podria|se puede) )?(?:hablar|contactar|charlar) con (?:alguien|vosotros|ustedes|una persona|un humano|el equipo|@)(?: de (?:verdad|carne y hueso|el equipo|vuestro equipo))?',
  // English
  '(?:(?:i want|i would like|i d like|i need|can i|could i|may i) (?:to )?)?(?:talk|speak|chat) (?:to|with) (?:someone|somebody|you|a person|a human|the team|@)(?: real| in person)?',
]);

/** What every firm is asked in a few words, which its claims do not have, and what is asked in their place. */
const FULLER = [
  {
    questions: [
      'donde (?:esta|estais|estan|estas|queda|quedais|os encuentro|os encontrais|se encuentra|se encuentran)(?: vosotros| ustedes| ubicados| situados| exactamente| @)?',
      '(?:cual es )?(?:la |vuestra |su |tu )?(?:direccion|ubicacion)',
      'como (?:llego|se llega|puedo llegar)',
    ],
    instead: '¿Dónde está vuestra oficina o tienda? Estamos en la calle',
  },
  {
    questions: [
      'where (?:are|is)(?: you| you guys| it| @)?(?: located| based| exactly)?',
      'where (?:can|do) i find (?:you|@)',
      '(?:what is |what s |whats )?(?:the |your )?(?:address|location)',
      'how (?:do|can) i get there',
    ],
    instead: 'Where are you? Our office, shop or workshop is in the street',
  },
  {
    questions: [
      '(?:cuando|a que hora|que dias) (?:abre|abris|abren|abres|cierra|cerrais|cierran|cierras|esta abierto|estais abiertos|estan abiertos)(?: vosotros| ustedes| @)?',
      '(?:que |cual es |cuales son )?(?:el |los |vuestro |vuestros |su |sus |tu )?horarios?(?: de apertura)?(?: teneis| tienen| tiene| tienes| haceis)?',
    ],
    instead: '¿Qué horario de apertura tenéis, a qué hora abrís?',
  },
  {
    questions: [
      '(?:when|what time|what days) (?:are|do|does|is)(?: you| it| @)? (?:open|close|closed)',
      '(?:what are )?(?:the |your )?(?:opening |business |office )?hours',
      '(?:what are )?(?:the |your )?opening times',
    ],
    instead: 'What are your opening hours, when are you open?',
  },
  {
    questions: [
      'como (?:os|te|le|les) (?:contacto|llamo|escribo|localizo)',
      'como (?:me pongo en contacto|puedo contactar|contacto|puedo hablar|hablo|contactar)(?: con (?:vosotros|ustedes|usted|@))?',
      'como puedo contactar(?:os|les|le)',
      '(?:teneis|tienen|tienes|hay|cual es)? ?(?:un |el |vuestro |su |tu )?(?:telefono|correo|correo electronico|email|numero de telefono|whatsapp)(?: de contacto)?',
      '(?:datos de )?contacto',
    ],
    instead: '¿Cómo os contacto? Escríbenos un correo, llama al teléfono o rellena el formulario',
  },
  {
    questions: [
      'how (?:do|can|could) i (?:get in touch|contact|reach|call|write to|get hold of|talk to)(?: with)?(?: you| @)?',
      '(?:do you have|have you got|what is|what s|whats)? ?(?:a |an |the |your )?(?:phone|telephone|phone number|telephone number|e mail|email|e mail address|email address)',
      'contact(?: details| us| you)?',
    ],
    instead: 'How do I contact you? Write an e-mail, call us by phone or fill in the form',
  },
  {
    questions: [
      'cuanto (?:cuesta|cuestan|vale|valen|cobrais|cobran|cobra|sale|es)(?: esto| eso| todo| vosotros| ustedes| @)?',
      '(?:que |cual es |cuales son )?(?:el |la |los |las |vuestros |vuestras |sus )?(?:precio|precios|tarifa|tarifas)(?: tiene| tienen| teneis)?',
    ],
    instead: '¿Cuánto cuesta? ¿Qué precio tiene?',
  },
  {
    questions: [
      'how much (?:is it|(?:do|does)(?: it| this| you| @)? (?:cost|charge))',
      'what (?:do|does)(?: it| you| @)? (?:cost|charge)',
      '(?:what is |what s |what are )?(?:the |your )?(?:price|prices|pricing|cost|costs|rates|fees)',
    ],
    instead: 'How much does it cost? What is the price?',
  },
  {
    questions: ['(?:cuales son )?(?:los |vuestros |sus )?servicios'],
    instead: '¿Qué servicios ofrecéis?',
  },
  {
    questions: ['(?:what are )?(?:the |your )?services'],
    instead: 'What services do you offer?',
  },
].map(({ questions, instead }) => ({ pattern: oneOf(questions), instead }));

/** A longer question asks for something. */
const LONGEST = 60;

/**
 * Whether a question is about the brand as a whole: "what do you do?", "¿quiénes sois?", its name alone. Claims that answer it have
 * the name; where there is none, the description answers.
 * @param names of the brand: its name, and other names that it goes by
 */
export const asksAboutBrand = (query: string, names: readonly string[]): boolean =>
  query.length <= LONGEST && ABOUT_BRAND.test(askedOf(query, names));

/** Whether somebody wants a person and no answer: "quiero hablar con alguien". */
export const asksForPerson = (query: string, names: readonly string[]): boolean =>
  PERSON.test(askedOf(query, names));

/** A question for the place, the hours, a way of contact, the price or the services, in the words of a claim; others as they are. */
export function fuller(query: string, names: readonly string[]): string {
  if (query.length > LONGEST) return query;
  const asked = askedOf(query, names);
  return FULLER.find(({ pattern }) => pattern.test(asked))?.instead ?? query;
}

/** Folded, longest first: every question is held against them. */
const folded = new WeakMap<readonly string[], readonly string[]>();

function foldedNames(names: readonly string[]): readonly string[] {
  const kept = folded.get(names);
  if (kept) return kept;
  const known = names.map(name => wordsOf(name).join(' ')).filter(name => name !== '');
  folded.set(
    names,
    known.sort((a, b) => b.length - a.length),
  );
  return known;
}

function askedOf(query: string, names: readonly string[]): string {
  const asked = foldedNames(names).reduce(
    (text, name) => text.replaceAll(` ${name} `, ' @ '),
    ` ${wordsOf(query).join(' ')} `,
  );
  return asked.trim();
}
