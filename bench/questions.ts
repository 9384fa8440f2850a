import { readFileSync } from 'node:fs';
import { ROOT } from '../test/support/folder.ts';

/**
 * `count` distinct questions: the first half of one example question and the second half of another.
 * More than any cache holds, in words that people use.
 */
export function distinctQuestions(count: number): string[] {
  const lines = readFileSync(`${ROOT}examples/questions.jsonl`, 'utf8').trim().split('\n');
  const questions: string[] = lines.map(line => JSON.parse(line).query);
  const halves = questions.map(question => {
    const words = question.split(' ');
    const middle = Math.ceil(words.length / 2);
    return [words.slice(0, middle).join(' '), words.slice(middle).join(' ')] as const;
  });
  const spliced = new Set<string>();
  for (let step = 1; spliced.size < count && step < halves.length; step += 1) {
    halves.forEach(([first], index) => {
      spliced.add(`${first} ${halves[(index + step) % halves.length]?.[1]}`);
    });
  }
  return [...spliced].slice(0, count);
}
