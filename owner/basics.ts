import * as z from 'zod';
import { isSpanish } from '../brand/profile/finding-words.ts';
import { quantityOf } from '../brand/retrieval/quantity.ts';
import type { Band } from '../brand/retrieval/similarity.ts';

/** A question that people begin with and no claim answers, and the owner's own words to begin a claim with. */
export interface OpenBasic {
  readonly query: string;
  /** From the description and the contact; empty where the profile has no words for it. Nothing is published by itself. */
  readonly draft: string;
}

const text = z.string().catch('');
const Facts = z
  .object({
    language: text,
    description: text,
    contact: z.object({ email: text, phone: text, address: text }).catch({ email: '', phone: '', address: '' }),
    areas: z.array(z.string()).catch([]),
    claims: z.array(z.object({ statement: text }).catch({ statement: '' })).catch([]),
  })
  .catch({ language: '', description: '', contact: { email: '', phone: '', address: '' }, areas: [], claims: [] });
type Facts = z.infer<typeof Facts>;

const PRICE = 'How much does it cost?';

/** Who, what, where, when, how to reach, price: in English, in Spanish, and what the profile already says of it. */
const BASICS: readonly (readonly [english: string, spanish: string, draft: (facts: Facts) => string])[] = [
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
const statesPrice = ({ statement }: Facts['claims'][number]): boolean =>
  /\d/.test(statement) && quantityOf({ value: 1, unit: statement }) === 'money';

/** The six basic questions whose best claim is not even near. @param ask the band of the best claim for a question */
export async function openBasics(
  document: unknown,
  ask: (query: string) => Promise<Band | undefined>,
): Promise<OpenBasic[]> {
  const facts = Facts.parse(document);
  const open: OpenBasic[] = [];
  for (const [english, spanish, draft] of BASICS) {
    if (english === PRICE && facts.claims.some(statesPrice)) continue;
    const query = isSpanish(facts.language) ? spanish : english;
    const band = await ask(query);
    if (band === undefined || band === 'possible') open.push({ query, draft: draft(facts) });
  }
  return open;
}
