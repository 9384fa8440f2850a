import { readConfig } from '../../server/config/config.ts';
import type { ServedBrand } from '../../server/run/load-brand.ts';
import { loadBrand } from '../../server/run/load-brand.ts';
import { folderWith } from '../support/folder.ts';

const claim = (
  claim_id: string,
  statement: string,
  { category, value, unit }: { category: string; value: number; unit: string },
  [applicable_for, not_applicable_for]: readonly [string, string],
) => ({
  ...{ claim_id, statement, category, metric: { name: category, value, unit } },
  ...{ boundary: { applicable_for, not_applicable_for }, confidence: 'medium', proof_ids: [] },
});

const DATES = { issued_at: '2026-01-01T00:00:00Z', expires_at: '2036-01-01T00:00:00Z' };
const FORMAT = { profile: 'brand-profile/1', ...DATES, proofs: [] };

/** A hyperbaric clinic, in Spanish, which takes no requests. */
export const CLINIC = {
  ...FORMAT,
  ...{
    id: 'clinica_marejada',
    names: [{ es: 'Clínica Marejada' }],
    url: 'https://marejada.example',
    language: 'es',
  },
  description:
    'Clínica de medicina hiperbárica en Vigo. Tratamos heridas que no cierran y secuelas de radioterapia.',
  contact: { email: 'hola@marejada.example' },
  actions: {},
  questions: [
    { text: '¿Cuánto cuesta una sesión?', claim_id: 'clm-precio' },
    { text: '¿Cuánto dura la sesión?', claim_id: 'clm-duracion' },
  ],
  claims: [
    claim(
      'clm-precio',
      'Una sesión en la cámara cuesta 85 euros.',
      { category: 'precios', value: 85, unit: 'euros' },
      ['Pacientes con informe de su médico.', 'Tratamientos que paga una mutua.'],
    ),
    claim(
      'clm-duracion',
      'La sesión dura 90 minutos.',
      { category: 'sesiones', value: 90, unit: 'minutos' },
      ['Adultos en la cámara monoplaza.', 'Menores de doce años y embarazadas.'],
    ),
  ],
};

/** A firm of lawyers, in English, with one form in its own words. */
export const LAWYERS = {
  ...FORMAT,
  ...{
    id: 'harrow_stone',
    names: [{ en: 'Harrow & Stone' }],
    url: 'https://harrowstone.example',
    language: 'en',
  },
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
          ...{
            title: 'Write to us',
            purpose: 'Tell us about your case and we tell you whether we can help.',
          },
          ...{ context: 'What happened at work, and when.', thanks: 'We have received your message.' },
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
    claim(
      'clm-settled',
      'We settle 83 % of our cases before a hearing.',
      { category: 'results', value: 83, unit: '%' },
      ['Cases of unfair dismissal.', 'Cases about pensions.'],
    ),
  ],
};

/** A language school that speaks to both: a form in each language, a programme for agencies in the owner's words. */
export const SCHOOL = {
  ...FORMAT,
  ...{
    id: 'escuela_faro',
    names: [{ es: 'Escuela Faro' }, { en: 'Faro School' }],
    url: 'https://faro.example',
    language: 'es',
  },
  description: 'Cursos de español en Cádiz para grupos pequeños.',
  actions: {
    request_diagnostic: {
      enabled: true,
      reply_hours: 12,
      fields: ['country'],
      words: {
        es: {
          ...{ title: 'Reserva una plaza', purpose: 'Dinos qué curso quieres y te guardamos una plaza.' },
          ...{
            context: 'Qué nivel tienes y en qué fechas quieres venir.',
            thanks: 'Hemos recibido tu reserva',
          },
        },
        en: {
          ...{ title: 'Book a place', purpose: 'Tell us which course you want and we keep a place for you.' },
          ...{
            context: 'Your level, and the dates on which you want to come.',
            thanks: 'We have received your booking',
          },
        },
      },
    },
  },
  questions: [
    { text: '¿Cuántos alumnos hay en clase?', claim_id: 'clm-grupo' },
    { text: 'How many students are in a class?', language: 'en', claim_id: 'clm-group' },
  ],
  claims: [
    claim(
      'clm-grupo',
      'En clase hay ocho alumnos como máximo.',
      { category: 'grupos', value: 8, unit: 'alumnos' },
      ['Cursos de verano y de invierno.', 'Clases particulares.'],
    ),
    claim(
      'clm-group',
      'A class has at most eight students.',
      { category: 'groups', value: 8, unit: 'students' },
      ['Summer and winter courses.', 'Private lessons.'],
    ),
  ],
};

/** A profile as a server answers from it. */
export function served(profile: object): Promise<ServedBrand> {
  const BRAND_FILE = folderWith({ 'brand.json': JSON.stringify(profile) })('brand.json');
  return loadBrand(readConfig({ BRAND_FILE }), () => {});
}

/** The lawyers with colours and a logo, and both forms as they come. */
export function colourfulBrand(
  colors: object = { primary: '#b8336a', background: '#fffdf8' },
): Promise<ServedBrand> {
  const logos = [{ url: `data:image/svg+xml;base64,${Buffer.from(LOGO).toString('base64')}` }];
  return served({ ...LAWYERS, actions: undefined, colors, logos });
}

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 32"><circle cx="16" cy="16" r="13" fill="none" stroke="#b8336a" stroke-width="5"/><path d="M40 26V6h6v20zM54 26V6h6v20z" fill="#b8336a"/></svg>';

/** A brand that is hard to draw: a light primary, a long name, a logo, four claims. */
export function yellowBrand(): Promise<ServedBrand> {
  const statements = [
    ['clm-audit', 'A packaging audit of one site costs 4,800 pounds.', 'Audits', 4800, 'GBP excluding VAT'],
    ['clm-plastic', 'Clients cut 38 % of their single-use plastic in a year.', 'Results', 38, '%'],
    ['clm-pilot', 'A refill pilot in three shops takes 14 weeks.', 'Refill', 14, 'weeks'],
    ['clm-people', 'Every project has 1 named engineer.', 'How we work', 1, 'engineer'],
  ] as const;
  return served({
    ...FORMAT,
    id: 'fairweather',
    names: [{ en: 'Fairweather-Harrington Sustainable Packaging & Refill Consultancy Partnership' }],
    url: 'https://www.fairweather-harrington-packaging.example',
    language: 'en',
    description: 'We help food brands replace single-use packaging with refill systems.',
    contact: { email: 'hello@fairweather.example' },
    colors: { primary: '#ffd43b', accent: '#7a5c00' },
    logos: [{ url: `data:image/svg+xml;base64,${Buffer.from(LOGO).toString('base64')}` }],
    questions: [{ text: 'What does an audit cost?', claim_id: 'clm-audit' }],
    claims: statements.map(([id, text, category, value, unit]) =>
      claim(id, text, { category, value, unit }, ['Sites in Great Britain.', 'Glass.']),
    ),
  });
}

/** Sixty claims in nine categories, and no action. */
export function manyClaims(): Promise<ServedBrand> {
  const claims = Array.from({ length: 60 }, (_, index) =>
    claim(
      `clm-${index}`,
      `La obra número ${index} se entrega en ${index + 3} días.`,
      { category: `obras-${index % 9}`, value: index + 3, unit: 'días' },
      ['Viviendas de la provincia con licencia de obra menor.', 'Edificios protegidos.'],
    ),
  );
  return served({
    ...FORMAT,
    id: 'atelier_marea',
    names: [{ es: 'Atelier Marea' }],
    url: 'https://ateliermarea.example',
    language: 'es',
    actions: {},
    colors: { primary: '#1b2a6b', accent: '#e4572e' },
    claims,
  });
}
