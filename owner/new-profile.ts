import { isSpanish } from '../brand/profile/finding-words.ts';
import { foldedText } from '../brand/profile/folded-text.ts';
import { PROFILE_SCHEMA_PATH } from '../brand/profile/json-schema.ts';
import { PROFILE_FORMAT } from '../brand/profile/schema.ts';

export interface NewProfile {
  readonly name: string;
  readonly url: string;
  /** Language tag; the examples are in Spanish for `es`, else in English. */
  readonly language: string;
  /** What people can send to the team. */
  readonly actions: ActionsChoice;
  readonly now: Date;
}

/** Nothing; one form in neutral words; or the two of the contract. */
export const ACTIONS_CHOICES = ['none', 'contact', 'consultancy'] as const;
export type ActionsChoice = (typeof ACTIONS_CHOICES)[number];

/** Ids of the claims that `aval init` writes begin like this. */
export const EXAMPLE_CLAIM = 'example-';

/** A profile to start from, valid for a year: two claims that are marked as examples, and a proof for one of them. */
export function newProfile({ name, url, language, actions, now }: NewProfile): object {
  const issued = `${now.toISOString().slice(0, 19)}Z`;
  const said = (text: keyof typeof TEXTS) => TEXTS[text][isSpanish(language) ? 1 : 0];
  return {
    $schema: `.${PROFILE_SCHEMA_PATH}`,
    profile: PROFILE_FORMAT,
    id: idOf(name),
    names: [{ [language]: name }],
    url,
    version: '1.0',
    language,
    issued_at: issued,
    expires_at: `${now.getUTCFullYear() + 1}${issued.slice(4).replace('-02-29', '-02-28')}`,
    last_updated: issued,
    claims: [
      {
        claim_id: `${EXAMPLE_CLAIM}1`,
        statement: said('measured'),
        category: said('category'),
        metric: {
          name: said('metric'),
          value: 7,
          unit: said('unit'),
          window: said('window'),
          baseline: said('before'),
          n: 9,
        },
        boundary: { applicable_for: said('measured_for'), not_applicable_for: said('measured_not') },
        ...{ confidence: 'medium', proof_ids: [PROOF_ID] },
      },
      {
        claim_id: `${EXAMPLE_CLAIM}2`,
        statement: said('plain'),
        category: said('category'),
        boundary: { applicable_for: said('plain_for'), not_applicable_for: said('plain_not') },
        ...{ confidence: 'high', proof_ids: [] },
      },
    ],
    actions: actionsMember(actions, {
      [language]: {
        title: said('write'),
        purpose: said('purpose'),
        context: said('context'),
        thanks: said('thanks'),
      },
    }),
    proofs: [
      {
        ...{ proof_id: PROOF_ID, type: 'case_study', title: said('report'), summary: said('summary') },
        ...{ client: said('client'), verifiable_by: said('copy'), confidentiality: 'anonymised' },
      },
    ],
  };
}

/** The member `actions`. The words of a contact form are to be replaced by the owner's. */
function actionsMember(choice: ActionsChoice, words: object) {
  if (choice === 'none') return {};
  if (choice === 'contact')
    return { request_diagnostic: { enabled: true, reply_hours: 48, fields: [], words } };
  return { request_diagnostic: { enabled: true }, apply_partner_program: { enabled: true } };
}

const PROOF_ID = `${EXAMPLE_CLAIM}proof`;

// biome-ignore format: a table, a text a line
const TEXTS = {
  category: ['example', 'ejemplo'],
  measured: ['EXAMPLE: we cut the delivery time of orders from 12 to 7 days on average.', 'EJEMPLO: reducimos el plazo de entrega de pedidos de 12 a 7 días de media.'],
  metric: ['delivery_time', 'plazo_de_entrega'],
  unit: ['days', 'días'],
  window: ['6 months from the start', '6 meses desde el inicio'],
  before: ['12 days in the 6 months before', '12 días en los 6 meses anteriores'],
  measured_for: ['EXAMPLE: makers with a warehouse of their own and over a hundred orders a month.', 'EJEMPLO: fabricantes con almacén propio y más de cien pedidos al mes.'],
  measured_not: ['EXAMPLE: goods made to order, or that need an import permit.', 'EJEMPLO: productos a medida o que necesitan permiso de importación.'],
  plain: ['EXAMPLE: the first diagnosis is free of charge and comes in writing.', 'EJEMPLO: el diagnóstico inicial no se cobra y se entrega por escrito.'],
  plain_for: ['EXAMPLE: companies with a year of sales data.', 'EJEMPLO: empresas con un año de datos de ventas.'],
  plain_not: ['EXAMPLE: private persons, and companies that do not trade yet.', 'EJEMPLO: particulares y empresas sin actividad.'],
  report: ['EXAMPLE: delivery times of nine clients', 'EJEMPLO: informe de plazos de nueve clientes'],
  summary: ['EXAMPLE: dates of order and delivery, before and after, checked by a third party.', 'EJEMPLO: fechas de pedido y de entrega, antes y después, revisadas por un tercero.'],
  client: ['Nine makers of consumer goods, Spain', 'Nueve fabricantes de bienes de consumo, España'],
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
