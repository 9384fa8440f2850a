import { readFileSync } from 'node:fs';
import { escapeInvisible, escapeInvisibleJson } from '../../brand/profile/visible.ts';
import { questionText } from '../../brand/retrieval/claim-texts.ts';
import { openUnigram } from '../../brand/retrieval/unigram.js';
import { requireNext, splitForm } from '../../rest/form-fields.ts';
import { accepts, prefers, requireUtf8 } from '../../rest/negotiation.ts';
import { replyOf, singleLine } from '../../server/mail/mailer.ts';
import { quotedLines } from '../../server/mail/message.ts';
import { mailAddress, plainLineBreaks } from '../../tools/fields.ts';
import { idempotencyKey } from '../../tools/idempotency-key.ts';
import { TOOLS } from '../../tools/index.ts';
import { languageOf, requestedMessages } from '../../tools/words/language.ts';
import { print } from '../result.ts';

/**
 * `npm run bench -- text`: every function that reads a stranger's text, at 2,000 characters of the worst
 * kinds against 2,000 characters of plain text. A regular expression whose neighbouring classes overlap shows
 * as a ratio of hundreds. Fails above a ratio of 40 where the worst text takes more than 2 ms: so long nobody
 * else is answered.
 */
const LENGTH = 2000;
const MAX_RATIO = 40;
const MAX_MS = 2;

/** Worst kinds: pieces that backtracking, decomposition, escapes and separators meet. */
const PIECES: Readonly<Record<string, string>> = {
  spaces: ' ',
  'spaces and a letter': '   a',
  'line breaks': '\r\n',
  'carriage returns': '\r',
  letter: 'a',
  digits: '1',
  at: '@',
  dots: '.',
  'dotted labels': 'a.',
  hyphens: 'a-',
  quotes: '"',
  backslashes: '\\',
  commas: ',',
  semicolons: ';',
  'accept ranges': 'a/b;q=1,',
  percent: '%41',
  'broken percent': '%',
  accents: 'é',
  'marks that decompose in two': '\u0344',
  'combining marks': '\u0301',
  joiners: '\u200d',
  'joiner and selector': '\ufe0f\u200d',
  'tag characters': '\u{e0041}',
  'lone surrogates': '\ud800',
  'zero bytes': '\0',
  'encoded words': '=?',
  'angle brackets': '<a@',
  links: 'www.',
  'capital İ': 'İ',
};

const tokenize = openUnigram(readFileSync('model/encoder/tokenizer.json'));

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a question of ask_brand': text => parse({ query: text }),
  'a field of a form': text => parse({ context: text, email: text }, 1),
  'unknown fields': text => parse({ [text]: text }, 1),
  mailAddress,
  'mailAddress after a name': text => mailAddress(`name@${text}`),
  'mailAddress before a domain': text => mailAddress(`${text}@acme.example`),
  plainLineBreaks,
  languageOf,
  'Accept-Language': text => requestedMessages(null, text),
  Accept: text => prefers(text, 'text/html', 'application/json'),
  'Accept-Encoding': text => accepts(text, 'gzip'),
  requireUtf8: text => silently(() => requireUtf8(text)),
  'Idempotency-Key': text => silently(() => idempotencyKey([text])),
  _next: text => silently(() => requireNext(text, () => true)),
  '_next after https': text => silently(() => requireNext(`https://${text}`, () => true)),
  splitForm: text => splitForm({ [text]: text, page: text }, { names: ['name'], isPerson: true }),
  questionText,
  "the encoder's tokenizer": text => tokenize(text, 128),
  visible: escapeInvisible,
  escapeInvisibleJson,
  singleLine,
  quotedLines,
  replyOf,
};

function parse(input: object, tool = 0): unknown {
  return TOOLS[tool]?.input.safeParse(input);
}

function silently(run: () => unknown): void {
  try {
    run();
  } catch {
    // A refusal is an answer like any other here.
  }
}

/** The fastest of several runs, in milliseconds. */
function fastestMs(run: (text: string) => unknown, text: string): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 7; round += 1) {
    const startedMs = performance.now();
    run(text);
    fastest = Math.min(fastest, performance.now() - startedMs);
  }
  return fastest;
}

const PLAIN = 'Vendemos en trescientas tiendas y el margen baja. '.repeat(LENGTH / 50);
let isSlow = false;
print('| Function | plain, ms | worst, ms | ratio | worst text |\n| --- | --- | --- | --- | --- |');
for (const [name, run] of Object.entries(READERS)) {
  const plainMs = fastestMs(run, PLAIN);
  let worst = { kind: '', ms: 0 };
  for (const [kind, piece] of Object.entries(PIECES)) {
    const text = piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);
    for (const candidate of [text, `x${text}`, `${text}x`, `norte ${text}!`]) {
      const ms = fastestMs(run, candidate);
      if (ms > worst.ms) worst = { kind, ms };
    }
  }
  const ratio = worst.ms / Math.max(plainMs, 0.001);
  if (worst.ms > MAX_MS && ratio > MAX_RATIO) isSlow = true;
  print(`| ${name} | ${plainMs.toFixed(3)} | ${worst.ms.toFixed(3)} | ${ratio.toFixed(1)} | ${worst.kind} |`);
}
if (isSlow) {
  print(`A text takes over ${MAX_MS} ms and over ${MAX_RATIO} times as long as plain text.`);
  process.exitCode = 1;
}
