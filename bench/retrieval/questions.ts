import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { loadProfile, namesOf } from '../../brand/profile/profile.ts';
import { type SearchText, searchText } from '../../brand/retrieval/search-text.ts';
import { ROOT } from '../../test/support/support.ts';

/** Claims, and what is asked of them. */
export interface Trial {
  readonly set: 'example' | 'fresh' | 'unseen';
  /** Of the brand. */
  readonly names: readonly string[];
  readonly texts: readonly SearchText[];
  readonly questions: readonly Question[];
}

export interface Question {
  readonly query: string;
  readonly language: string;
  readonly kind: string;
  /** Places of the claims that answer; none where no claim does. */
  readonly answers: ReadonlySet<number>;
}

const lines = <Row>(file: string, schema: z.ZodType<Row>): Row[] =>
  readFileSync(ROOT + file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => schema.parse(JSON.parse(line)));

const Asked = z.object({
  lang: z.string(),
  kind: z.string().default('other language'),
  query: z.string(),
  relevant: z.array(z.string()),
});

const EXAMPLE = ['examples/questions.jsonl', 'bench/retrieval/other-languages.jsonl'];
const FRESH = ['bench/retrieval/unseen/mudanzas_brezal', 'bench/retrieval/unseen/wrenfield_pianos'];

/** The example brand with its questions, those in five other languages, and two businesses with a hundred questions each. */
export const profileTrials = (): Promise<Trial[]> =>
  Promise.all([
    profileTrial('example', 'examples/brand.json', EXAMPLE),
    ...FRESH.map(folder => profileTrial('fresh', `${folder}/brand.json`, [`${folder}/questions.jsonl`])),
  ]);

async function profileTrial(set: Trial['set'], file: string, files: readonly string[]): Promise<Trial> {
  const { profile } = await loadProfile(ROOT + file);
  const placeOf = new Map(profile.claims.map(({ claim_id }, place) => [claim_id, place]));
  const questions = files
    .flatMap(file => lines(file, Asked))
    .map(({ lang: language, kind, query, relevant }) => {
      return { query, language, kind, answers: new Set(relevant.flatMap(id => placeOf.get(id) ?? [])) };
    });
  return { set, names: namesOf(profile), texts: profile.claims.map(searchText), questions };
}

/** The ten invented businesses that the encoder has not learned from (model/encoder/training/texts.py, HELD_OUT). */
const HELD_OUT = ['w1-3', 'w2-2', 'w2-8', 'w3-1', 'w3-8', 'w4-3', 'w5-2', 'w5-8', 'w6-2', 'w7-8'];

const text = z.string();
const texts = z.array(text);
const Claim = z.object({
  brand: text,
  ...{ es: text, app_es: text, not_es: text, q_es: texts },
  ...{ en: text, app_en: text, not_en: text, q_en: texts },
  ...{ q_pt: text, q_fr: text, q_ca: text, q_it: text, q_de: text },
});
const Unanswerable = z.object({ brand: text, un_es: texts, un_en: texts });

/** Thirty claims a business, near each other, told in Spanish and in English; ten questions of each that nothing answers. */
export function unseenTrials(): Trial[] {
  const rows = lines('model/training/claims-2.jsonl', z.union([Claim, Unanswerable]));
  return HELD_OUT.flatMap(brand => {
    const own = rows.filter(row => row.brand === brand);
    const claims = own.flatMap(row => ('es' in row ? [row] : []));
    const asked = claims.flatMap((claim, place) => {
      const as = (language: string, kind: string) => (query: string) => {
        return { query, language, kind, answers: new Set([place]) };
      };
      const others = (['pt', 'fr', 'ca', 'it', 'de'] as const).map(language =>
        as(language, 'other language')(claim[`q_${language}`]),
      );
      return [...claim.q_es.map(as('es', 'mixed')), ...claim.q_en.map(as('en', 'mixed')), ...others];
    });
    const nothing = (language: string) => (query: string) => {
      return { query, language, kind: 'unanswerable', answers: new Set<number>() };
    };
    const unanswerable = own.flatMap(row =>
      'un_es' in row ? [...row.un_es.map(nothing('es')), ...row.un_en.map(nothing('en'))] : [],
    );
    return (['es', 'en'] as const).map(told => ({
      set: 'unseen' as const,
      names: [],
      questions: [...asked, ...unanswerable],
      texts: claims.map(claim => {
        const head = claim[told];
        return { head, text: `${head} ${claim[`app_${told}`]} ${claim[`not_${told}`]}` };
      }),
    }));
  });
}
