import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wordsOfFinding } from '../brand/profile/finding-words.ts';
import { contentFindings, readDraft } from '../owner/check-profile.ts';
import { CLAIM, NOW } from './studio-support.ts';

const PROOF = {
  proof_id: 'prf-1',
  type: 'audit',
  title: 'Un informe',
  summary: 'Fechas de doce visitas.',
  client: 'Una clínica de Teruel',
  verifiable_by: 'Quien lo pida',
  confidentiality: 'public',
};
const GOOD = {
  ...{
    profile: 'brand-profile/1',
    id: 'fisio',
    names: [{ es: 'Fisio' }],
    url: 'https://fisio.example',
    language: 'es',
  },
  ...{ issued_at: '2026-11-01T00:00:00Z', expires_at: '2027-11-01T00:00:00Z', claims: [CLAIM], proofs: [] },
};
const claims = (...parts: object[]) => ({ ...GOOD, claims: parts.map(part => ({ ...CLAIM, ...part })) });
const proofs = (...parts: object[]) => ({ ...GOOD, proofs: parts.map(part => ({ ...PROOF, ...part })) });
const metric = (value: unknown, unit: string) => claims({ metric: { name: 'precio', value, unit } });
const action = (of: object) => ({ ...GOOD, actions: { request_diagnostic: { enabled: true, ...of } } });
const hidden = (client: string) => ({ client, confidentiality: 'confidential' });
const expiring = (expires_at: string) => ({ ...GOOD, expires_at });
const WORDS_OF = { title: 'Escribe', purpose: 'Cuéntanos.', context: 'Qué te ha pasado.', thanks: 'Gracias.' };

/** A document for each message of the check. */
const BROKEN: readonly object[] = [
  {},
  claims(
    { metric: { name: 'm' } },
    { metric: { name: 'm', value: 1, n: -1 } },
    { metric: { name: 'm', value: [], n: 1.5 } },
  ),
  claims({ statement: '' }, { statement: ' ' }, { statement: 'x'.repeat(2001) }, { statement: 3 }, { colour: 1 }),
  claims({ proof_ids: 'x' }, { proof_ids: Array.from({ length: 51 }, (_, at) => `p${at}`) }, { boundary: 'x' }),
  claims({ claim_id: ' x' }, { claim_id: 'a' }, { claim_id: 'a', proof_ids: ['p', 'p'] }),
  { ...GOOD, id: 'Ñ', url: 'fisio', names: [{}], issued_at: 'hoy', signatures: [{ protected: '=', signature: 'a' }] },
  { ...GOOD, expires_at: GOOD.issued_at, privacy_policy_url: 'fisio.example/privacidad', colors: { primary: 'rojo' } },
  { ...GOOD, questions: [{ text: '¿?', claim_id: 'none', language: 'x' }] },
  action({ enabled: 'sí', reply_hours: 'x' }),
  action({ reply_hours: 49, fields: ['x'], words: { en: WORDS_OF } }),
  action({ reply_hours: 0, words: { '!': WORDS_OF } }),
  action({ reply_hours: 1.5 }),
  proofs(PROOF, hidden('Grupo Valdecuervo, S.L.'), hidden('Aceites Soria'), { confidentiality: 'x' }),
  proofs({ client: 'Aceites Soria' }, { proof_id: 'prf-2', ...hidden('Aceites Soria') }),
  {
    ...proofs(hidden('Grupo Valdecuervo, S.L.'), hidden('Aceites Soria')),
    description: 'grupo valdecuervo y aceites soria',
  },
  { ...GOOD, description: 'Con Pedro Pérez' },
  metric(58, 'EUR'),
  metric(45, 'USD'),
  claims({ statement: 'Sale bien de precio.', metric: { name: 'precio', value: 45, unit: 'EUR' } }),
  claims(
    { boundary: { applicable_for: 'a', not_applicable_for: 'a' } },
    { boundary: { applicable_for: 'Quien viene a la consulta.', not_applicable_for: 'No hay exclusiones de nada.' } },
    { boundary: { applicable_for: 'todos', not_applicable_for: 'Quien no viene a la consulta.' } },
    { confidence: 'mucha' },
    { confidence: 'high' },
    { statement: 'Atendemos bien.' },
    { claim_id: 'example-1' },
  ),
  expiring('2026-11-20T00:00:00Z'),
  expiring('2026-11-22T20:00:00Z'),
  expiring('2026-11-23T20:00:00Z'),
  expiring('2026-12-02T20:00:00Z'),
  { ...GOOD, issued_at: '2026-12-01T00:00:00Z' },
];

describe('the Spanish studio', () => {
  it('says each finding and each advice of the check in Spanish, with the same values', () => {
    const codes = new Set<string>();
    for (const document of BROKEN) {
      const options = { now: NOW, neverPublish: ['Pedro Pérez'] };
      const { faults, warnings } = contentFindings(document, readDraft(document), options);
      for (const { found, message, fix } of [...faults, ...warnings]) {
        assert.ok(found, message);
        const spanish = wordsOfFinding(found, 'es-MX');
        assert.notEqual(spanish.message, message);
        assert.equal(spanish.fix === undefined, fix === undefined);
        assert.doesNotMatch(`${spanish.message} ${spanish.fix} ${message} ${fix}`, /\{\d\}|@/);
        for (const value of found.values.filter(value => !value.startsWith('@')))
          assert.ok(`${spanish.message} ${spanish.fix}`.includes(value) === `${message} ${fix}`.includes(value), value);
        codes.add(found.code);
      }
    }
    assert.ok(codes.size > 35, [...codes].join());
  });
});
