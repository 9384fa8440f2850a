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
  const texts = isSpanish(language) ? SPANISH : ENGLISH;
  const issued = `${now.toISOString().slice(0, 19)}Z`;
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
      { claim_id: `${EXAMPLE_CLAIM}1`, ...texts.measured, confidence: 'medium', proof_ids: [PROOF_ID] },
      { claim_id: `${EXAMPLE_CLAIM}2`, ...texts.plain, confidence: 'high', proof_ids: [] },
    ],
    actions: actionsMember(actions, language),
    proofs: [{ proof_id: PROOF_ID, type: 'case_study', ...texts.proof, confidentiality: 'anonymised' }],
  };
}

/** The member `actions`. The words of a contact form are to be replaced by the owner's. */
function actionsMember(choice: ActionsChoice, language: string) {
  if (choice === 'none') return {};
  if (choice === 'consultancy') {
    return { request_diagnostic: { enabled: true }, apply_partner_program: { enabled: true } };
  }
  const words = isSpanish(language) ? SPANISH.contact : ENGLISH.contact;
  return { request_diagnostic: { enabled: true, reply_hours: 48, fields: [], words: { [language]: words } } };
}

const PROOF_ID = `${EXAMPLE_CLAIM}proof`;

const SPANISH = {
  measured: {
    statement: 'EJEMPLO: reducimos el plazo de entrega de pedidos de 12 a 7 días de media.',
    category: 'ejemplo',
    metric: {
      name: 'plazo_de_entrega',
      value: 7,
      unit: 'días',
      window: '6 meses desde el inicio',
      baseline: '12 días en los 6 meses anteriores',
      n: 9,
    },
    boundary: {
      applicable_for: 'EJEMPLO: fabricantes con almacén propio y más de cien pedidos al mes.',
      not_applicable_for: 'EJEMPLO: productos a medida o que necesitan permiso de importación.',
    },
  },
  plain: {
    statement: 'EJEMPLO: el diagnóstico inicial no se cobra y se entrega por escrito.',
    category: 'ejemplo',
    boundary: {
      applicable_for: 'EJEMPLO: empresas con un año de datos de ventas.',
      not_applicable_for: 'EJEMPLO: particulares y empresas sin actividad.',
    },
  },
  proof: {
    title: 'EJEMPLO: informe de plazos de nueve clientes',
    summary: 'EJEMPLO: fechas de pedido y de entrega, antes y después, revisadas por un tercero.',
    client: 'Nueve fabricantes de bienes de consumo, España',
    verifiable_by: 'EJEMPLO: copia del informe, a petición',
  },
  contact: {
    title: 'Escríbenos',
    purpose: 'Cuéntanos qué necesitas.',
    context: 'Qué necesitas y para cuándo.',
    thanks: 'Hemos recibido tu mensaje.',
  },
};

const ENGLISH: typeof SPANISH = {
  measured: {
    statement: 'EXAMPLE: we cut the delivery time of orders from 12 to 7 days on average.',
    category: 'example',
    metric: {
      name: 'delivery_time',
      value: 7,
      unit: 'days',
      window: '6 months from the start',
      baseline: '12 days in the 6 months before',
      n: 9,
    },
    boundary: {
      applicable_for: 'EXAMPLE: makers with a warehouse of their own and over a hundred orders a month.',
      not_applicable_for: 'EXAMPLE: goods made to order, or that need an import permit.',
    },
  },
  plain: {
    statement: 'EXAMPLE: the first diagnosis is free of charge and comes in writing.',
    category: 'example',
    boundary: {
      applicable_for: 'EXAMPLE: companies with a year of sales data.',
      not_applicable_for: 'EXAMPLE: private persons, and companies that do not trade yet.',
    },
  },
  proof: {
    title: 'EXAMPLE: delivery times of nine clients',
    summary: 'EXAMPLE: dates of order and delivery, before and after, checked by a third party.',
    client: 'Nine makers of consumer goods, Spain',
    verifiable_by: 'EXAMPLE: a copy of the report, on request',
  },
  contact: {
    title: 'Write to us',
    purpose: 'Tell us what you need.',
    context: 'What you need, and by when.',
    thanks: 'We have received your message.',
  },
};

/** Lower-case letters, digits and underscores: "Ñandú & Co." is `nandu_co`. */
function idOf(name: string): string {
  return (
    foldedText(name)
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'brand'
  );
}
