import { readConfig } from '../../server/config/config.ts';
import type { ServedBrand } from '../../server/run/load-brand.ts';
import { loadBrand } from '../../server/run/load-brand.ts';
import { folderWith } from '../support/folder.ts';

/** A claim without proofs. */
const claim = (
  claim_id: string,
  statement: string,
  { category, value, unit }: { category: string; value: number; unit: string },
  [applicable_for, not_applicable_for]: readonly [string, string],
) => ({
  claim_id,
  statement,
  category,
  metric: { name: category, value, unit },
  boundary: { applicable_for, not_applicable_for },
  confidence: 'medium',
  proof_ids: [],
});

const FORMAT = {
  profile: 'brand-profile/1',
  issued_at: '2026-01-01T00:00:00Z',
  expires_at: '2036-01-01T00:00:00Z',
  proofs: [],
};

/** A hyperbaric clinic, in Spanish, which takes no requests. */
export const CLINIC = {
  ...FORMAT,
  id: 'clinica_marejada',
  names: [{ es: 'Clínica Marejada' }],
  url: 'https://marejada.example',
  language: 'es',
  description:
    'Clínica de medicina hiperbárica en Vigo. Tratamos heridas que no cierran y secuelas de radioterapia.',
  contact: { email: 'hola@marejada.example' },
  actions: {},
  questions: [{ text: '¿Cuánto cuesta una sesión?', claim_id: 'clm-precio' }],
  claims: [
    claim(
      'clm-precio',
      'Una sesión en la cámara cuesta 85 euros.',
      { category: 'precios', value: 85, unit: 'euros' },
      ['Pacientes con informe de su médico.', 'Tratamientos que paga una mutua.'],
    ),
  ],
};

/** A firm of lawyers, in English, with one form in its own words. */
export const LAWYERS = {
  ...FORMAT,
  id: 'harrow_stone',
  names: [{ en: 'Harrow & Stone' }],
  url: 'https://harrowstone.example',
  language: 'en',
  description: 'Employment lawyers in Leeds. We act for employees only.',
  contact: { email: 'clerk@harrowstone.example' },
  privacy_policy_url: 'https://harrowstone.example/privacy',
  actions: {
    request_diagnostic: {
      enabled: true,
      reply_hours: 24,
      fields: [],
      words: {
        en: {
          title: 'Write to us',
          purpose: 'Tell us about your case and we tell you whether we can help.',
          context: 'What happened at work, and when.',
          thanks: 'We have received your message.',
        },
      },
    },
    apply_partner_program: { enabled: false },
  },
  questions: [{ text: 'What does a first meeting cost?', claim_id: 'clm-meeting' }],
  claims: [
    claim(
      'clm-meeting',
      'A first meeting costs 120 pounds and lasts one hour.',
      { category: 'fees', value: 120, unit: 'pounds' },
      ['Employees in England and Wales.', 'Employers, and cases in Scotland.'],
    ),
  ],
};

/** A language school that speaks to both: a form in each language, a programme for agencies in the owner's words. */
export const SCHOOL = {
  ...FORMAT,
  id: 'escuela_faro',
  names: [{ es: 'Escuela Faro' }, { en: 'Faro School' }],
  url: 'https://faro.example',
  language: 'es',
  description: 'Cursos de español en Cádiz para grupos pequeños.',
  actions: {
    request_diagnostic: {
      enabled: true,
      reply_hours: 12,
      fields: ['country'],
      words: {
        es: {
          title: 'Reserva una plaza',
          purpose: 'Dinos qué curso quieres y te guardamos una plaza.',
          context: 'Qué nivel tienes y en qué fechas quieres venir.',
          thanks: 'Hemos recibido tu reserva',
        },
        en: {
          title: 'Book a place',
          purpose: 'Tell us which course you want and we keep a place for you.',
          context: 'Your level, and the dates on which you want to come.',
          thanks: 'We have received your booking',
        },
      },
    },
  },
  questions: [
    { text: '¿Cuántos alumnos hay en clase?', claim_id: 'clm-grupo' },
    { text: 'How many students are in a class?', language: 'en', claim_id: 'clm-grupo' },
  ],
  claims: [
    claim(
      'clm-grupo',
      'En clase hay ocho alumnos como máximo.',
      { category: 'grupos', value: 8, unit: 'alumnos' },
      ['Cursos de verano y de invierno.', 'Clases particulares.'],
    ),
  ],
};

/** A profile as a server answers from it. */
export function served(profile: object): Promise<ServedBrand> {
  const BRAND_FILE = folderWith({ 'brand.json': JSON.stringify(profile) })('brand.json');
  return loadBrand(readConfig({ BRAND_FILE }), () => {});
}

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 32"><circle cx="16" cy="16" r="13" fill="none" stroke="#b8336a" stroke-width="5"/><path d="M40 26V6h6v20zM54 26V6h6v20z" fill="#b8336a"/></svg>';

/** A brand that is hard to draw: a light primary, a long name, a logo. */
export function yellowBrand(): Promise<ServedBrand> {
  return served({
    ...LAWYERS,
    names: [{ en: 'Harrow, Stone, Fairweather & Harrington, Solicitors for Employees in Yorkshire' }],
    url: 'https://www.harrow-stone-fairweather-harrington.example',
    actions: undefined,
    colors: { primary: '#ffd43b', accent: '#7a5c00' },
    logos: [{ url: `data:image/svg+xml;base64,${Buffer.from(LOGO).toString('base64')}` }],
  });
}
