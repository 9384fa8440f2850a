import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Part of `npm run check`: what biome has no rule for. Names variables that are called like a pronoun or a participle, and
 * regular expressions over 60 characters without a comment above.
 */
const FOLDERS = ['brand', 'tools', 'rest', 'discovery', 'owner', 'server'];
const LONGEST_EXPRESSION = 60;

/** `const at`, `let { at }`, `(at: number`, `at => {`, `(address, at) =>`. */
const NAMES = 'at|said|told|own|found|whose|held|given|made';
const VARIABLE = new RegExp(
  `\\b(?:const|let)\\s+(?:[{[][^=]*\\b)?(?:${NAMES})\\b(?!\\s*:\\s*\\w)|[(,]\\s*(?:${NAMES})\\??: (?!frames)|\\b(?:${NAMES}) => \\{|[(,]\\s*(?:${NAMES})(?:, [\\w, ]+)?\\) =>`,
);
/** A literal: `/a/`, `/[/]/u`; neither a comment nor a division. */
const EXPRESSION = /(?<![\w)\]'"`/*<])\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\/[dgimsuvy]*/g;

const files = execFileSync('git', ['ls-files', '--', ...FOLDERS.map(folder => `${folder}/**.ts`)], {
  encoding: 'utf8',
});

for (const file of files.trim().split('\n')) {
  const lines = readFileSync(file, 'utf8').split('\n');
  lines.forEach((line, index) => {
    if (isComment(line)) return;
    if (VARIABLE.test(line)) report(file, index, 'name the thing, not a pronoun or a participle');
    for (const [expression] of line.matchAll(EXPRESSION))
      if (expression.length > LONGEST_EXPRESSION && !isComment(lines[index - 1] ?? ''))
        report(file, index, `say above what the expression matches, with examples: ${expression}`);
  });
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/?\*)/.test(line);
}

function report(file: string, index: number, advice: string): void {
  process.stderr.write(`${file}:${index + 1}: ${advice}\n`);
  process.exitCode = 1;
}
