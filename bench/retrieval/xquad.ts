import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { createRetrieval } from '../../brand/retrieval/retrieval.ts';
import type { RetrievalModel } from '../../brand/retrieval/retrieval-model.ts';
import { type Judged, type RankingFigures, rankingFigures } from './asked.ts';
import { createSentences, type Span } from './sentences.ts';

/** "asked es, told en": questions in Spanish, texts in English. */
export interface XquadRow extends RankingFigures {
  readonly unit: Unit;
  readonly asked: Language;
  readonly told: Language;
  readonly texts: number;
}

type Unit = 'sentences' | 'paragraphs';
type Language = (typeof LANGUAGES)[number];

const LANGUAGES = ['en', 'es'] as const;
const DIRECTIONS: readonly (readonly [asked: Language, told: Language])[] = [
  ['en', 'en'],
  ['es', 'es'],
  ['es', 'en'],
  ['en', 'es'],
];

/** XQuAD (Artetxe, Ruder, Yogatama, arXiv:1910.11856) as SQuAD 1.1 files; `answer_start` counts UTF-16 units here. */
const File = z.object({
  data: z.array(
    z.object({
      paragraphs: z.array(
        z.object({
          context: z.string(),
          qas: z.array(
            z.object({
              id: z.string(),
              question: z.string(),
              answers: z.array(z.object({ text: z.string(), answer_start: z.number() })).length(1),
            }),
          ),
        }),
      ),
    }),
  ),
});

interface Corpus {
  readonly questions: ReadonlyMap<string, string>;
  readonly texts: Record<Unit, readonly string[]>;
  /** Which text holds the answer to a question, by question id. */
  readonly gold: Record<Unit, ReadonlyMap<string, number>>;
}

/**
 * Searches the one text that holds the answer, among the sentences or the paragraphs of all contexts, in four directions.
 * Questions whose answer falls out of the candidates count as not found.
 */
export async function* evaluateXquad(model: RetrievalModel, directory: string): AsyncGenerator<XquadRow> {
  const corpora = { en: await readCorpus(directory, 'en'), es: await readCorpus(directory, 'es') };
  for (const unit of ['sentences', 'paragraphs'] as const) {
    const retrievals = {
      en: await createRetrieval({ ...model, texts: corpora.en.texts[unit].map(headless) }),
      es: await createRetrieval({ ...model, texts: corpora.es.texts[unit].map(headless) }),
    };
    for (const [asked, told] of DIRECTIONS) {
      const gold = corpora[told].gold[unit];
      const judged: Judged<number>[] = [];
      for (const [id, question] of corpora[asked].questions) {
        const { scored } = await retrievals[told].search(question, 10);
        judged.push({ ranking: scored.map(({ index }) => index), relevant: new Set([gold.get(id)!]) });
      }
      yield { unit, asked, told, texts: corpora[told].texts[unit].length, ...rankingFigures(judged) };
    }
  }
}

/** A sentence or paragraph is its own head. */
const headless = (text: string) => ({ head: text, text });

async function readCorpus(directory: string, language: Language): Promise<Corpus> {
  const { data } = File.parse(JSON.parse(await readFile(join(directory, `xquad.${language}.json`), 'utf8')));
  const paragraphs = data.flatMap(article => article.paragraphs);
  const wholes = paragraphs.map(({ context }): Span[] => [{ start: 0, end: context.length }]);
  const sentencesOf = createSentences(language);
  const sentences = paragraphs.map(({ context }) => sentencesOf(context));
  return {
    questions: new Map(paragraphs.flatMap(({ qas }) => qas.map(({ id, question }) => [id, question]))),
    texts: { sentences: cut(paragraphs, sentences), paragraphs: cut(paragraphs, wholes) },
    gold: { sentences: locate(paragraphs, sentences), paragraphs: locate(paragraphs, wholes) },
  };
}

type Paragraph = z.infer<typeof File>['data'][number]['paragraphs'][number];

function cut(paragraphs: readonly Paragraph[], spans: readonly Span[][]): string[] {
  return paragraphs.flatMap(({ context }, at) => spans[at]!.map(({ start, end }) => context.slice(start, end).trim()));
}

/** Question id to the position, among the spans of all paragraphs, of the span in which the answer begins. */
function locate(paragraphs: readonly Paragraph[], spans: readonly Span[][]): Map<string, number> {
  let before = 0;
  return new Map(
    paragraphs.flatMap(({ qas }, at) => {
      const first = before;
      before += spans[at]!.length;
      return qas.map(({ id, answers }) => {
        const start = answers[0]!.answer_start;
        return [id, first + spans[at]!.findIndex(span => start >= span.start && start < span.end)];
      });
    }),
  );
}
