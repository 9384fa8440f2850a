import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Profile } from '../../brand/profile/schema.ts';
import { type Question, readQuestions } from '../../owner/evaluate.ts';
import { ROOT } from '../../test/support/folder.ts';

/** A profile with the questions that are asked of it. */
export interface Trial {
  readonly set: string;
  /** How many of the claims' own questions are read with them. */
  readonly way: Way;
  readonly profile: Profile;
  readonly questions: readonly Question[];
  /** Whether the calibration was fitted without this set, so that its reliability means something. */
  readonly isUnseen: boolean;
}

export type Way = 'none' | 'two' | 'four' | `${'none' | 'two'} and ${number} asked`;

const EXAMPLE = `${ROOT}../shared/example`;
const XQUAD = `${ROOT}../shared/data/xquad`;

/** Every set, and each way of reading its claims. Sets whose data is not on this machine are left out. */
export function allTrials(): Trial[] {
  return [
    ...exampleTrials(),
    ...profileTrials('example of the package', `${ROOT}examples`, false),
    ...profileTrials('mudanzas', `${ROOT}bench/retrieval/unseen/mudanzas_brezal`, true),
    ...profileTrials('wrenfield', `${ROOT}bench/retrieval/unseen/wrenfield_pianos`, true),
    ...heldOutTrials(),
    ...xquadTrials(),
  ];
}

/**
 * Trials in which some of what visitors asked is among the claims' questions (`aval asked --take`): half of
 * the questions of each claim may be taken, the other half is asked, and the other way round, so that no
 * question helps itself.
 */
export function learnedTrials(): Trial[] {
  const sets = allTrials().filter(({ set, way }) =>
    /^(?:mudanzas|wrenfield)$/.test(set) ? way === 'two' : set === 'held-out businesses',
  );
  return sets.flatMap(trial => [0, 2, 4].flatMap(count => [0, 1].map(half => learned(trial, count, half))));
}

function learned(trial: Trial, count: number, half: number): Trial {
  const seen = new Map<string, number>();
  const taken: NonNullable<Profile['questions']> = [];
  // By a digest: in their order the kinds of questions alternate, and each half would have its own kinds.
  const shuffled = trial.questions.toSorted((a, b) => digestOf(a).localeCompare(digestOf(b)));
  const asked = shuffled.filter(({ query, relevant: [claimId] }) => {
    if (claimId === undefined) return true;
    const number = seen.get(claimId) ?? 0;
    seen.set(claimId, number + 1);
    if (number % 2 === half) return true;
    if (number < 2 * count) taken.push({ text: query, claim_id: claimId });
    return false;
  });
  const questions = [...(trial.profile.questions ?? []), ...taken];
  const way = trial.way === 'two' ? 'two' : 'none';
  return {
    ...trial,
    way: `${way} and ${count} asked`,
    profile: { ...trial.profile, questions },
    questions: asked,
  };
}

const digestOf = ({ query }: Question) => createHash('sha256').update(query).digest('hex');

/** The 24 claims that earlier figures were measured on. */
function exampleTrials(): Trial[] {
  if (!existsSync(EXAMPLE)) return [];
  const questions = readLines(`${EXAMPLE}/claim-questions.jsonl`, ClaimQuestion);
  return ways('example, 24 claims', readProfile(EXAMPLE), questions, readQuestionsOf(EXAMPLE), false);
}

function profileTrials(set: string, folder: string, isUnseen: boolean): Trial[] {
  const profile = readProfile(folder);
  return ways(set, profile, profile.questions ?? [], readQuestionsOf(folder), isUnseen);
}

/** A profile without questions, with two a claim in its language, and with all. */
function ways(
  set: string,
  profile: Profile,
  questions: NonNullable<Profile['questions']>,
  asked: readonly Question[],
  isUnseen: boolean,
): Trial[] {
  const inProfileLanguage = questions.filter(
    ({ language = profile.language }) => language === profile.language,
  );
  const trial = (way: Way, claimQuestions: NonNullable<Profile['questions']>): Trial => ({
    set,
    way,
    profile: { ...profile, questions: claimQuestions },
    questions: asked,
    isUnseen,
  });
  return [trial('none', []), trial('two', inProfileLanguage), trial('four', questions)];
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
      [...claim.q_es, ...claim.q_en].map(query => ({ query, relevant: [idAt(place)] })),
    );
    const unanswerable = nothing.map(query => ({ query, relevant: [] }));
    const inOthers = claims.flatMap((claim, place) =>
      OTHER_LANGUAGES.map(language => ({ query: claim[`q_${language}`], relevant: [idAt(place)] })),
    );
    return (['es', 'en'] as const).flatMap(language => {
      const profile = bareProfile(
        claims.map(claim => [claim[language], claim[`app_${language}`], claim[`not_${language}`]]),
      );
      const trial = { way: 'none', profile, isUnseen: true } as const;
      return [
        { ...trial, set: 'held-out businesses', questions: [...asked, ...unanswerable] },
        { ...trial, set: 'held-out, other languages', questions: inOthers },
      ];
    });
  });
}

const Xquad = z.object({
  data: z.array(
    z.object({
      paragraphs: z.array(z.object({ context: text, qas: z.array(z.object({ question: text })) })),
    }),
  ),
});

/** 240 paragraphs and 1,190 questions in each language: measured, never learned from. */
function xquadTrials(): Trial[] {
  if (!existsSync(XQUAD)) return [];
  return ['es', 'en'].map(language => {
    const { data } = Xquad.parse(JSON.parse(readFileSync(`${XQUAD}/xquad.${language}.json`, 'utf8')));
    const paragraphs = data.flatMap(article => article.paragraphs);
    const questions = paragraphs.flatMap(({ qas }, place) =>
      qas.map(({ question }) => ({ query: question, relevant: [idAt(place)] })),
    );
    const profile = bareProfile(paragraphs.map(({ context }) => [context, '', '']));
    return { set: 'XQuAD', way: 'none', profile, questions, isUnseen: false };
  });
}

const idAt = (place: number) => `claim-${place}`;

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
      claim_id: idAt(place),
      statement,
      category: 'trial',
      boundary: { applicable_for: applicable, not_applicable_for: notApplicable },
      confidence: 'high',
      proof_ids: [],
    })),
  };
}

const ClaimQuestion = z.object({ text, language: text, claim_id: text });

const readQuestionsOf = (folder: string) => readQuestions(readFileSync(`${folder}/questions.jsonl`));

const readProfile = (folder: string): Profile => JSON.parse(readFileSync(`${folder}/brand.json`, 'utf8'));

function readLines<Row>(file: string, schema: z.ZodType<Row>): Row[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map(line => schema.parse(JSON.parse(line)));
}
