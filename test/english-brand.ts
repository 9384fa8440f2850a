import type { ServedBrand } from '../server/run/served-brand.ts';
import { exampleBrand } from './support.ts';

/** A second brand, in English and with colours and a logo of its own; it answers with the first one's index. */
export async function englishBrand(): Promise<ServedBrand> {
  const brand = await exampleBrand();
  const claim = (id: string, statement: string, value: number, unit: string) => ({
    claim_id: id,
    statement,
    category: 'terms',
    metric: { name: 'figure', value, unit, window: '2025', baseline: 'the year before', n: 14 },
    boundary: { applicable_for: 'Makers of packaged food.', not_applicable_for: 'Traders of raw materials.' },
    confidence: 'high',
    proof_ids: ['prf-panel'],
  });
  const claims = [
    claim('clm-price', 'The first diagnostic costs 4,200 pounds, fixed.', 4200, 'GBP'),
    claim('clm-margin', 'We raise the gross margin by 3.4 points within a year.', 3.4, 'percentage points'),
  ];
  const proofs = [
    {
      proof_id: 'prf-panel',
      type: 'audit',
      title: 'Yearly review',
      summary: 'Compares what was promised with what was delivered.',
      client: 'Twelve clients',
      verifiable_by: 'Harbour Auditors, report 12',
      confidentiality: 'on_request' as const,
    },
  ];
  const { questions: _, ...example } = brand.profile;
  const profile = {
    ...example,
    ...{ id: 'harbour_lane', names: [{ en: 'Harbour & Lane' }], language: 'en', claims, proofs },
    description: 'A consultancy for food makers in the British Isles. Invented, for tests.',
    contact: { email: 'hello@harbour.example' },
    colors: { primary: '#b8336a', background: '#fffdf8' },
    logos: [{ url: LOGO, background: 'transparent-bg' }],
    privacy_policy_url: 'https://harbour.example/privacy',
  };
  const matches = claims.map(({ proof_ids, ...said }) => ({ ...said, similarity: 0.93, proofs }));
  return {
    ...brand,
    name: 'Harbour & Lane',
    profile,
    ask: async query => ({ brand: 'Harbour & Lane', query, matches: query.includes('weather') ? [] : matches }),
  };
}

const LOGO = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 32"><circle cx="16" cy="16" r="13" fill="none" stroke="#b8336a" stroke-width="5"/><path d="M40 26V6h6v20zM54 26V6h6v20z" fill="#b8336a"/></svg>',
).toString('base64')}`;
