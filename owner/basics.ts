import { isSpanish } from '../brand/profile/finding-words.ts';
import { quantityOf } from '../brand/retrieval/quantity.ts';
import type { Band } from '../brand/retrieval/similarity.ts';
import { type Draft, readDraft } from './draft.ts';

/** A question that people begin with and no claim answers, and the owner's own words to begin a claim with. */
export interface OpenBasic {
  readonly query: string;
  /** From the description and the contact; empty where the profile has no words for it. Nothing is published by itself. */
  readonly draft: string;
}

const PRICE = 'How much does it cost?';

/** Who, what, where, when, how to reach, price: in English, in Spanish, and what the profile already says of it. */
const BASICS: readonly (readonly [english: string, spanish: string, draft: (said: Draft) => string])[] = [
  ['Who are you?', '¿Quiénes sois?', ({ description }) => description],
  ['What do you do?', '¿Qué hacéis?', ({ description }) => description],
  [
    'Where are you?',
    '¿Dónde estáis?',
    ({ language, contact, areas }) => {
      const place = [contact.address, areas.join(', ')].find(Boolean);
      return place ? `${isSpanish(language) ? '¿Dónde estamos? En' : 'Where are we? At'} ${place}.` : '';
    },
  ],
  ['When are you open?', '¿Cuándo abrís?', () => ''],
  [
    'How do I get in touch?',
    '¿Cómo os contacto?',
    ({ contact }) => [contact.phone, contact.email].filter(Boolean).join(', '),
  ],
  [PRICE, '¿Cuánto cuesta?', () => ''],
];

/** `How much does it cost?` names no thing, so of many prices none is near; a profile that states one answers it. */
const statesPrice = (statement: string): boolean =>
  /\d/.test(statement) && quantityOf({ value: 1, unit: statement }) === 'money';

/** The six basic questions whose best claim is not even near. @param ask the band of the best claim for a question */
export async function openBasics(
  document: unknown,
  ask: (query: string) => Promise<Band | undefined>,
): Promise<OpenBasic[]> {
  const said = readDraft(document);
  const open: OpenBasic[] = [];
  for (const [english, spanish, draft] of BASICS) {
    if (english === PRICE && said.statements.some(statesPrice)) continue;
    const query = isSpanish(said.language) ? spanish : english;
    const band = await ask(query);
    if (band === undefined || band === 'possible') open.push({ query, draft: draft(said) });
  }
  return open;
}
