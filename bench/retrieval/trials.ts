import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Profile } from '../../brand/profile/schema.ts';
import { ROOT } from '../../test/support/folder.ts';

/** A profile with the questions that are asked of it. */
export interface Trial {
  readonly set: string;
  /** How many of the claims' own questions are read with them. */
  readonly way: Way;
  readonly profile: Profile;
  readonly questions: readonly AskedQuestion[];
}

type Way = 'none' | 'four';

export interface AskedQuestion {
  readonly query: string;
  /** Places of the claims that answer; none where no claim does. */
  readonly answers: ReadonlySet<number>;
}

const UNSEEN = `${ROOT}bench/retrieval/unseen`;

/** Every set, and each way of reading its claims. The similarity was fitted on none of them. */
export function allTrials(): Trial[] {
  return [
    ...profileTrials('mudanzas', `${UNSEEN}/mudanzas_brezal`),
    ...profileTrials('wrenfield', `${UNSEEN}/wrenfield_pianos`),
    ...heldOutTrials(),
  ];
}

/** A profile without questions, and with all that its owner wrote. */
function profileTrials(set: string, folder: string): Trial[] {
  const profile: Profile = JSON.parse(readFileSync(`${folder}/brand.json`, 'utf8'));
  const places = new Map(profile.claims.map(({ claim_id }, place) => [claim_id, place]));
  const asked = readLines(`${folder}/questions.jsonl`, Asked).map(({ query, relevant }) => ({
    query,
    answers: new Set(relevant.flatMap(id => places.get(id) ?? [])),
  }));
  return [
    { set, way: 'none', profile: { ...profile, questions: [] }, questions: asked },
    { set, way: 'four', profile, questions: asked },
  ];
}

/** The ten invented businesses that the encoder has not learned from (model/training/texts.py). */
const HELD_OUT = ['w1-3', 'w2-2', 'w2-8', 'w3-1', 'w3-8', 'w4-3', 'w5-2', 'w5-8', 'w6-2', 'w7-8'];
const OTHER_LANGUAGES = ['pt', 'fr', 'ca', 'it', 'de'] as const;

const text = z.string();
const texts = z.array(text);
const BusinessClaim = z.object({
  brand: text,
  es: text,
  app_es: text,
  not_es: text,
  q_es: texts,
  en: text,
  app_en: text,
  not_en: text,
  q_en: texts,
  q_pt: text,
  q_fr: text,
  q_ca: text,
  q_it: text,
  q_de: text,
});
const Unanswerable = z.object({ brand: text, un_es: texts, un_en: texts });

/**
 * Thirty claims a business, near each other, stated in Spanish and in English. Nobody wrote questions for
 * these claims.
 */
function heldOutTrials(): Trial[] {
  const rows = readLines('model/training/claims-2.jsonl', z.union([BusinessClaim, Unanswerable]));
  return HELD_OUT.flatMap(brand => {
    const claims = rows.flatMap(row => (row.brand === brand && 'es' in row ? [row] : []));
    const nothing = rows.flatMap(row =>
      row.brand === brand && 'un_es' in row ? [...row.un_es, ...row.un_en] : [],
    );
    const asked = claims.flatMap((claim, place) =>
      [...claim.q_es, ...claim.q_en].map(query => ({ query, answers: new Set([place]) })),
    );
    const unanswerable = nothing.map(query => ({ query, answers: new Set<number>() }));
    const inOthers = claims.flatMap((claim, place) =>
      OTHER_LANGUAGES.map(language => ({ query: claim[`q_${language}`], answers: new Set([place]) })),
    );
    return (['es', 'en'] as const).flatMap(language => {
      const profile = bareProfile(
        claims.map(claim => [claim[language], claim[`app_${language}`], claim[`not_${language}`]]),
      );
      const trial = { way: 'none', profile } as const;
      return [
        { ...trial, set: 'held-out businesses', questions: [...asked, ...unanswerable] },
        { ...trial, set: 'held-out, other languages', questions: inOthers },
      ];
    });
  });
}

/** A profile of nothing but claims. */
function bareProfile(claims: readonly (readonly string[])[]): Profile {
  return {
    profile: 'brand-profile/1',
    id: 'trial',
    names: [{ es: 'Trial' }],
    url: 'https://trial.example',
    language: 'es',
    issued_at: '2026-01-01T00:00:00Z',
    expires_at: '2027-01-01T00:00:00Z',
    proofs: [],
    claims: claims.map(([statement = '', applicable = '', notApplicable = ''], place) => ({
      claim_id: `claim-${place}`,
      statement,
      category: 'trial',
      boundary: { applicable_for: applicable, not_applicable_for: notApplicable },
      confidence: 'high',
      proof_ids: [],
    })),
  };
}

const Asked = z.object({ query: text, relevant: texts });

function readLines<Row>(file: string, schema: z.ZodType<Row>): Row[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map(line => schema.parse(JSON.parse(line)));
}
