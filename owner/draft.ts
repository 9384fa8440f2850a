import * as z from 'zod';
import { usualTag } from './columns.ts';

export type Members = Readonly<Record<string, unknown>>;

/** A profile in any state, in the form of a sheet: each claim has its questions, by language. */
export interface Draft {
  readonly claims: readonly Members[];
  readonly proofs: readonly Members[];
  readonly language: string;
}

const list = z.array(z.record(z.string(), z.unknown())).catch([]);
const Document = z.looseObject({
  claims: list,
  proofs: list,
  questions: list,
  language: z.string().catch('es'),
});

/** Makes the draft of a document. @throws ZodError unless it is a JSON object */
export function draftOf(document: unknown): Draft {
  const { claims, proofs, questions, language } = Document.parse(document);
  const byClaim = new Map<unknown, Record<string, string[]>>();
  for (const question of questions) {
    const texts = byClaim.get(question.claim_id) ?? {};
    const tag = languageOf(question, language);
    texts[tag] = [...(texts[tag] ?? []), String(question.text)];
    byClaim.set(question.claim_id, texts);
  }
  const withQuestions = claims.map(claim => {
    const texts = byClaim.get(claim.claim_id);
    return texts ? { ...claim, questions: texts } : claim;
  });
  return { claims: withQuestions, proofs, language };
}

/** The document with the claims, questions and proofs of a draft. Old questions keep their order. */
export function withDraft(document: unknown, { claims, proofs, language }: Draft): Members {
  const { questions } = Document.parse(document);
  const all = claims.flatMap(({ claim_id, questions: texts }) =>
    Object.entries<string[]>(Object(texts)).flatMap(([tag, lines]) =>
      lines.map(text => ({ text, language: tag, claim_id })),
    ),
  );
  const keyOf = (question: Members) =>
    JSON.stringify([question.claim_id, languageOf(question, language), question.text]);
  const wanted = new Map(all.map(question => [keyOf(question), question]));
  const staying = questions.filter(question => wanted.has(keyOf(question)));
  for (const question of staying) wanted.delete(keyOf(question));
  const newQuestions = [...staying, ...wanted.values()];
  return {
    ...z.record(z.string(), z.unknown()).parse(document),
    claims: claims.map(({ questions: _, ...claim }) => claim),
    proofs,
    ...((questions.length > 0 || newQuestions.length > 0) && { questions: newQuestions }),
  };
}

/** The language of a question. Default: the profile's. */
const languageOf = ({ language }: Members, profileLanguage: string): string =>
  usualTag(typeof language === 'string' ? language : profileLanguage);
