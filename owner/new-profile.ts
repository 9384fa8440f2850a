import { PROFILE_SCHEMA_PATH } from '../brand/profile/json-schema.ts';
import { PROFILE_FORMAT } from '../brand/profile/schema.ts';
import { foldedText } from '../brand/profile/texts.ts';
import { messagesByTag } from '../tools/words/language.ts';

interface NewProfile {
  readonly name: string;
  readonly url: string;
  /** Language tag. The examples are in Spanish for `es`, else in English. */
  readonly language: string;
  /** What people can send to the team. */
  readonly actions: ActionsChoice;
  readonly now: Date;
}

/** No action, one form in neutral words, or the contract's two. */
export type ActionsChoice = 'none' | 'contact' | 'consultancy';

/** Mark of the example texts of `aval init`. Its questions have none. */
const EXAMPLE = /^(?:EXAMPLE|EJEMPLO): /;

/** Whether a text is an example of `aval init`. */
export const isExampleText = (text: string): boolean =>
  EXAMPLE.test(text) || QUESTIONS.some(([, , question]) => question === text);

/** Beginning of the ids that `aval init` writes. */
export const EXAMPLE_ID = 'example-';

/**
 * A first profile, valid for a year: two claims marked as examples, a proof of one, and questions for both.
 */
export function newProfile({ name, url, language, actions, now }: NewProfile) {
  const issued = `${now.toISOString().slice(0, 19)}Z`;
  const position = messagesByTag(language)?.tag === 'es' ? 1 : 0;
  const text = (key: keyof typeof TEXTS) => TEXTS[key][position];
  return {
    $schema: `.${PROFILE_SCHEMA_PATH}`,
    profile: PROFILE_FORMAT,
    id: idOf(name),
    names: [{ [language]: name }],
    url,
    version: '1.0',
    language,
    description: text('description').replace('{}', () => name),
    issued_at: issued,
    expires_at: `${now.getUTCFullYear() + 1}${issued.slice(4).replace('-02-29', '-02-28')}`,
    last_updated: issued,
    claims: [
      {
        claim_id: `${EXAMPLE_ID}1`,
        statement: text('measured'),
        category: text('category'),
        metric: {
          name: text('metric'),
          value: 7,
          unit: text('unit'),
          window: text('window'),
          baseline: text('before'),
          n: 9,
        },
        boundary: { applicable_for: text('measured_for'), not_applicable_for: text('measured_not') },
        confidence: 'medium',
        proof_ids: [PROOF_ID],
      },
      {
        claim_id: `${EXAMPLE_ID}2`,
        statement: text('plain'),
        category: text('category'),
        boundary: { applicable_for: text('plain_for'), not_applicable_for: text('plain_not') },
        confidence: 'medium',
        proof_ids: [],
      },
    ],
    questions: QUESTIONS.map(([number, tag, question]) => ({
      text: question,
      language: tag,
      claim_id: `${EXAMPLE_ID}${number}`,
    })),
    actions: actionsMember(actions, {
      [language]: {
        title: text('write'),
        purpose: text('purpose'),
        context: text('context'),
        thanks: text('thanks'),
      },
    }),
    proofs: [
      {
        proof_id: PROOF_ID,
        type: 'case_study',
        title: text('report'),
        summary: text('summary'),
        client: text('client'),
        verifiable_by: text('copy'),
        confidentiality: 'anonymised',
      },
    ],
  };
}

/** The member `actions`. The owner replaces the words of a contact form. */
function actionsMember(choice: ActionsChoice, words: object): Readonly<Record<string, object>> {
  if (choice === 'none') return {};
  if (choice === 'contact')
    return { request_diagnostic: { enabled: true, reply_hours: 48, fields: [], words } };
  return { request_diagnostic: { enabled: true }, apply_partner_program: { enabled: true } };
}

/** A sentence that tells the owner what the actions promise in the firm's name. */
export function promiseOf({ names, actions }: ReturnType<typeof newProfile>): string {
  const [name = ''] = Object.values(names[0] ?? {});
  const offered = Object.keys(actions).join(' and ');
  if (offered === '') return 'The profile offers no form: people can only ask. Its member "actions" says so.';
  return (
    `In the name of ${name} the profile offers ${offered}, with a reply within 48 hours: ` +
    'read its member "actions".'
  );
}

const PROOF_ID = `${EXAMPLE_ID}proof`;

/** Questions of the examples: one in plain words, then one from outside the trade. */
const QUESTIONS = [
  [1, 'es', '¿Cuánto tardáis en entregar un pedido?'],
  [1, 'es', 'los pedidos nos llegan siempre tarde, ¿tiene arreglo?'],
  [1, 'en', 'How long does a delivery take?'],
  [1, 'en', 'my orders always come late, can you fix that?'],
  [2, 'es', '¿Cuánto cuesta que nos digáis qué falla?'],
  [2, 'es', '¿me cobráis solo por mirar cómo estamos?'],
  [2, 'en', 'What does it cost to find out what is wrong?'],
  [2, 'en', 'do I pay anything just for a first look?'],
] as const;

// biome-ignore format: a table, a text a line
const TEXTS = {
  description: ['EXAMPLE: {} in two sentences: what you do, and for whom.', 'EJEMPLO: {} en dos frases: qué hacéis y para quién.'],
  category: ['example', 'ejemplo'],
  measured: ['EXAMPLE: we cut the delivery time of orders from 12 to 7 days on average.', 'EJEMPLO: reducimos el plazo de entrega de pedidos de 12 a 7 días de media.'],
  metric: ['delivery_time', 'plazo_de_entrega'],
  unit: ['days', 'días'],
  window: ['EXAMPLE: 6 months from the start', 'EJEMPLO: 6 meses desde el inicio'],
  before: ['EXAMPLE: 12 days in the 6 months before', 'EJEMPLO: 12 días en los 6 meses anteriores'],
  measured_for: ['EXAMPLE: makers with a warehouse of their own and over a hundred orders a month.', 'EJEMPLO: fabricantes con almacén propio y más de cien pedidos al mes.'],
  measured_not: ['EXAMPLE: goods made to order, or that need an import permit.', 'EJEMPLO: productos a medida o que necesitan permiso de importación.'],
  plain: ['EXAMPLE: the first diagnosis is free of charge and comes in writing.', 'EJEMPLO: el diagnóstico inicial no se cobra y se entrega por escrito.'],
  plain_for: ['EXAMPLE: companies with a year of sales data.', 'EJEMPLO: empresas con un año de datos de ventas.'],
  plain_not: ['EXAMPLE: private persons, and companies that do not trade yet.', 'EJEMPLO: particulares y empresas sin actividad.'],
  report: ['EXAMPLE: delivery times of nine clients', 'EJEMPLO: informe de plazos de nueve clientes'],
  summary: ['EXAMPLE: dates of order and delivery, before and after, checked by a third party.', 'EJEMPLO: fechas de pedido y de entrega, antes y después, revisadas por un tercero.'],
  client: ['EXAMPLE: nine makers of consumer goods, Spain', 'EJEMPLO: nueve fabricantes de bienes de consumo, España'],
  copy: ['EXAMPLE: a copy of the report, on request', 'EJEMPLO: copia del informe, a petición'],
  write: ['Write to us', 'Escríbenos'],
  purpose: ['Tell us what you need.', 'Cuéntanos qué necesitas.'],
  context: ['What you need, and by when.', 'Qué necesitas y para cuándo.'],
  thanks: ['We have received your message.', 'Hemos recibido tu mensaje.'],
} as const satisfies Readonly<Record<string, readonly [english: string, spanish: string]>>;

/** Lower-case letters, digits and underscores: "Ñandú & Co." is `nandu_co`. */
function idOf(name: string): string {
  return (
    foldedText(name)
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'brand'
  );
}
