import { createContentTest } from './content.ts';
import type { Asker } from './line.ts';
import { createNameRemover, questionsIn, tidied } from './question.ts';
import { createRanker, type Ranker, type RankerInput, type RankerOptions } from './ranker.ts';
import { joined, type Ranking } from './ranking.ts';
import { asksAboutBrand, fuller } from './usual-questions.ts';

export interface Retrieval extends Pick<Ranker, 'gate' | 'ready'> {
  /**
   * The best `count` texts for a question, or for the two that it joins.
   * @throws the signal's reason
   */
  search(query: string, count: number, asker?: Asker): Promise<Ranking>;
  /** Whether the question asks about anything (content.ts). */
  hasContent(query: string): boolean;
}

export type RetrievalOptions = RankerOptions;

export interface RetrievalInput extends RankerInput {
  /** Those of whose texts they are: they say nothing in a question. */
  readonly names?: readonly string[];
}

/**
 * Answers questions as people put them: with the brand's name in them, in a few words, or two in one.
 * @throws whatever the embedder throws on a text
 */
export async function createRetrieval({ names = [], ...input }: RetrievalInput): Promise<Retrieval> {
  const { gate, ready, occurs, rank } = await createRanker(input);
  const hasContent = createContentTest(input.embedder.tokens, occurs);
  const withoutNames = createNameRemover(names);
  /** A question that asks for nothing but the brand keeps its name, and one about the brand as a whole gets it: claims have it. */
  const unnamed = (query: string): string => {
    const [rest, whole] = [withoutNames(query), tidied(query)];
    if (names[0] !== undefined && asksAboutBrand(query, names)) return `${rest} ${names[0]}`;
    return fuller(rest === whole || hasContent(rest) ? rest : whole, names);
  };
  return {
    gate,
    ready,
    hasContent: query =>
      fuller(query, names) !== query || (hasContent(query) && /[\p{L}\p{N}]/u.test(withoutNames(query))),
    async search(query, count, asker) {
      const [whole, ...parts] = questionsIn(unnamed(query));
      const ranking = rank(whole, count, asker);
      if (parts.length === 0) return ranking;
      return joined(await Promise.all([ranking, ...parts.map(part => rank(part, count, asker))]), count);
    },
  };
}
