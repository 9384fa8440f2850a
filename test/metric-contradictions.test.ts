import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { metricFindings } from '../owner/metric-faults.ts';

type Case = readonly [statement: string, value: number | string, unit?: string];

/** In the language of the statement: Spanish where it has one of these words. */
const languageOf = (statement: string) => (/\b(?:el|la|los|las|de|en|por|un|una)\b/i.test(statement) ? 'es' : 'en');

const findings = ([statement, value, unit]: Case) =>
  metricFindings(
    {
      claim_id: 'clm',
      statement,
      category: 'c',
      metric: { name: 'm', value, ...(unit !== undefined && { unit }) },
      boundary: { applicable_for: 'Those who ask for it.', not_applicable_for: 'Those who do not ask.' },
      confidence: 'medium',
      proof_ids: [],
    },
    0,
    languageOf(statement),
  );

/** Another figure, another unit, another currency, another scale. */
const CONTRADICTING: readonly Case[] = [
  ['El 71 % de los pacientes repite en un año.', 17, '%'],
  ['El 71 % de los pacientes repite en un año.', 0.71, '%'],
  ['El margen bruto sube 3,4 puntos en doce meses.', 34, 'puntos'],
  ['El margen bruto sube 3,4 puntos en doce meses.', 3.4, '%'],
  ['El diagnóstico cuesta 7.900 euros.', 7900, 'USD'],
  ['La sesión cuesta ochenta y cinco euros.', 58, 'EUR'],
  ['La sesión dura 90 minutos y la hace una persona.', 90, 'horas'],
  ['La sesión dura una hora y media.', 45, 'minutos'],
  ['La entrega tarda tres semanas de media.', 3, 'días'],
  ['Reducimos el plazo de 12 a 7 días de media.', 9, 'días'],
  ['Hemos tratado a más de 1.200 pacientes desde la apertura.', 120, 'pacientes'],
  ['Our fee is 1,500 pounds a day.', 1500, 'EUR'],
  ['Our fee is $2,400.', 2400, '€'],
  ['We manage 1.2 million euros in claims.', 1.2, 'thousand EUR'],
  ['Twenty-seven clients stayed for five years.', 37, 'clients'],
  ['A divorce takes 4 to 6 months.', '6 to 9', 'months'],
];

/** The same said in another way: rounded, converted, in words, in another notation. */
const AGREEING: readonly Case[] = [
  ['El margen bruto sube tres coma cuatro puntos.', 3.4, 'puntos porcentuales'],
  ['El diagnóstico cuesta 7.900 euros, en dos pagos.', 7900, 'EUR'],
  ['La entrega tarda dos semanas desde 2019.', 14, 'días'],
  ['Una de cada cuatro personas vuelve antes de 30 días.', 25, '%'],
  ['El plazo se reduce a la mitad.', 50, '%'],
  ['Los costes bajan un 12 % frente a 2023.', -12, '%'],
  ['Hemos tratado a más de mil doscientos pacientes.', 1246, 'pacientes'],
  ['Our fund holds $1.2 million.', 1.2, 'million USD'],
  ['About 71% of 31 clients come back.', 70.9, 'percent'],
  ['A first meeting is free and lasts half an hour.', 30, 'minutes'],
  ['A person replies within two days.', 48, 'hours'],
  ['Seventy-one per cent of clients come back.', 0.71, 'share'],
];

describe('a metric that contradicts its statement', () => {
  it('is a fault: another figure, unit, currency or scale, in digits and in words, in Spanish and English', t => {
    const missed = CONTRADICTING.filter(row => findings(row).faults.length !== 1);
    assert.deepEqual(missed, []);
    t.diagnostic(`${CONTRADICTING.length} of ${CONTRADICTING.length} contradictions are faults`);
  });

  it('is none where the statement says the same in another way', t => {
    assert.ok(AGREEING.length >= 10);
    t.diagnostic(`${AGREEING.length} that only look like contradictions`);
    assert.deepEqual(
      AGREEING.map(row => findings(row)).filter(({ faults, warnings }) => faults.length + warnings.length > 0),
      [],
    );
  });
});
