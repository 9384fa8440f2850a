import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type Int8Rows, int8Rows } from '../../brand/retrieval/int8-rows.ts';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import { BUNDLED_MODEL, type RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import type { SearchText } from '../../brand/retrieval/search-text.ts';
import type { Asked } from './asked.ts';

const text = z.string();
const questions = z.array(z.string());

/** A line of model/training/claims-questions.jsonl: an invented claim in both languages, and what it is asked. */
const Claim = z.object({
  split: z.string(),
  ...{ es: text, app_es: text, not_es: text, q_es: questions },
  ...{ en: text, app_en: text, not_en: text, q_en: questions },
});

type Claim = z.infer<typeof Claim>;

/** Lines of claims-questions.jsonl that one invented brand could make. */
const Groups = z.array(z.tuple([z.number(), z.array(z.number().int())]));

/**
 * Asks the questions of one trade family that neither the table nor, here, the bank has seen. A brand of 25 to 45 claims is cut in two:
 * one half is its profile, the questions of the other half are near its topic and unanswerable. Both halves, both languages.
 */
export async function askValidation(model: RetrievalModel): Promise<Asked[]> {
  const read = (name: string) => readFile(join(BUNDLED_MODEL, 'training', name), 'utf8');
  const lines = (await read('claims-questions.jsonl')).trimEnd().split('\n');
  const claims = lines.map(line => Claim.parse(JSON.parse(line)));
  const groups = Groups.parse(JSON.parse(await read('groups.json'))).map(([, members]) => members);
  const held = groups.filter(([first]) => claims[first!]!.split === 'validation');
  const unseen = withoutHeld(model, claims);
  const asked: Asked[] = [];
  for (const members of held) {
    for (const parity of [0, 1]) {
      const profile = members.filter((_, place) => place % 2 === parity);
      for (const language of ['es', 'en'] as const) {
        const retrieval = await createRetrieval({
          ...unseen,
          texts: profile.map(at => searchText(claims[at]!, language)),
        });
        for (const member of members) {
          for (const query of [...claims[member]!.q_es, ...claims[member]!.q_en]) {
            const { scored, some } = await retrieval.search(query, 5);
            asked.push({
              language,
              ranking: scored.map(({ index }) => String(profile[index])),
              relevant: new Set(profile.includes(member) ? [String(member)] : []),
              some,
              similarities: scored.map(({ similarity }) => similarity),
            });
          }
        }
      }
    }
  }
  return asked;
}

function searchText(claim: Claim, language: 'es' | 'en'): SearchText {
  const head = claim[language];
  return { head, text: `${head} ${claim[`app_${language}`]} ${claim[`not_${language}`]}` };
}

/** The bank must not know the claims that it is measured on. */
function withoutHeld(model: RetrievalModel, claims: readonly Claim[]): RetrievalModel {
  const { bank } = model;
  if (!bank) return model;
  const kept = claims.flatMap(({ split }, row) => (split === 'validation' ? [] : [row]));
  return { ...model, bank: { claims: pick(bank.claims, kept), questions: pick(bank.questions, kept) } };
}

function pick({ values, dims }: Int8Rows, kept: readonly number[]): Int8Rows {
  const picked = new Int8Array(kept.length * dims);
  kept.forEach((row, at) => {
    picked.set(values.subarray(row * dims, (row + 1) * dims), at * dims);
  });
  return int8Rows(picked, dims);
}
