import { wordsOf } from '../profile/folded-text.ts';

/** How people greet before they ask. */
const GREETING =
  '(?:(?:hola|buenas|buenos dias|buenas tardes|hi|hello|hey|please|por favor|perdon|oye|disculpa|excuse me) )*';

/** What people ask to learn whom they deal with, folded; `@` stands for the brand's name. */
const QUESTIONS = [
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
] as const;

const PERSON = new RegExp(
  `^${GREETING}(?:${[
    // Spanish
    '(?:(?:quiero|quisiera|queria|necesito|me gustaria|puedo|podria|se puede) )?(?:hablar|contactar|charlar) con (?:alguien|vosotros|ustedes|una persona|un humano|el equipo|@)(?: de (?:verdad|carne y hueso|el equipo|vuestro equipo))?',
    // English
    '(?:(?:i want|i would like|i d like|i need|can i|could i|may i) (?:to )?)?(?:talk|speak|chat) (?:to|with) (?:someone|somebody|you|a person|a human|the team|@)(?: real| in person)?',
  ].join('|')})(?: por favor| please)?$`,
);

/** A longer question asks for something. */
const LONGEST = 60;

const ASKED = new RegExp(`^${GREETING}(?:${QUESTIONS.join('|')})$`);

/**
 * Whether a question is about the brand as a whole: "what do you do?", "¿quiénes sois?", its name alone. Claims that answer it have
 * the name; where there is none, the description answers.
 * @param names of the brand: its name, and other names that it goes by
 */
export function asksAboutBrand(query: string, names: readonly string[]): boolean {
  return query.length <= LONGEST && ASKED.test(askedOf(query, names));
}

/** Whether somebody wants a person and no answer: "quiero hablar con alguien". */
export const asksForPerson = (query: string, names: readonly string[]): boolean => PERSON.test(askedOf(query, names));

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
