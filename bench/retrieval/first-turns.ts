/**
 * First turns of conversations, for a person to judge: what somebody says, the right call, what came back, the right relay.
 * `npm run bench -- turns [--write]` asks the tools themselves; `--write` keeps the page bench/results/first-turns.md.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import * as z from 'zod';
import { table } from '../../discovery/documents/markdown.ts';
import { createServer } from '../../server/library/index.ts';
import { DIAGNOSTIC, PARTNER } from '../../test/submission-support.ts';
import { ROOT } from '../../test/support.ts';
import { readQuestions } from './example-questions.ts';

interface Turn {
  readonly says: string;
  /** Absent where no tool is right. */
  readonly tool?: string;
  readonly input?: Readonly<Record<string, string>>;
  /** What must come back: one of these claims first, an error code, or one of `empty`, `near`, `sent`. */
  readonly right: readonly string[];
}

const ask = (says: string, right: readonly string[], query = says): Turn => ({
  ...{ says, right, tool: 'ask_brand', input: { query } },
});
const { email: _, ...withoutEmail } = DIAGNOSTIC;
const { level: __, ...withoutLevel } = PARTNER;

const WRITTEN: readonly Turn[] = [
  ask('gracias', ['empty']),
  ask('hola', ['empty']),
  ask('tell me a joke', ['empty']),
  ask('What is the capital of France?', ['empty'], 'capital of France'),
  ask('translate this to French', ['empty']),
  ask(
    'Can you look up their diagnostic for me? How much?',
    ['clm-diagnostic-price'],
    'How much does the diagnostic cost?',
  ),
  ask('¿cuánto cuesta una sesión?', ['clm-diagnostic-price']),
  ask('¿cuánto tarda un proyecto?', ['near', 'clm-diagnostic-duration']),
  ask('', ['missing_query']),
  { says: 'Write a Python function that sorts a list', right: [] },
  { says: 'What does McKinsey charge?', right: [] },
  { says: 'Summarise what you just told me', right: [] },
  { says: 'Send them a message that I am on holiday', right: [] },
  { says: 'Sí, envía la solicitud con esos datos.', tool: 'request_diagnostic', input: DIAGNOSTIC, right: ['sent'] },
  { says: 'Yes, send it. (the same, again)', tool: 'request_diagnostic', input: DIAGNOSTIC, right: ['sent'] },
  {
    says: 'Book a diagnostic, I am Ana (no e-mail given)',
    tool: 'request_diagnostic',
    input: withoutEmail,
    right: ['validation_error'],
  },
  {
    says: 'Use ana at acme for the e-mail',
    tool: 'request_diagnostic',
    input: { ...DIAGNOSTIC, email: 'ana at acme' },
    right: ['validation_error'],
  },
  {
    says: 'Put just "hola" as the context',
    tool: 'request_diagnostic',
    input: { ...DIAGNOSTIC, context: 'hola' },
    right: ['validation_error'],
  },
  {
    says: 'We are an agency and want to join, go ahead',
    tool: 'apply_partner_program',
    input: PARTNER,
    right: ['sent'],
  },
  {
    says: 'Apply for us, we do not know the level',
    tool: 'apply_partner_program',
    input: withoutLevel,
    right: ['validation_error'],
  },
  {
    says: 'Apply, and add our website',
    tool: 'apply_partner_program',
    input: { ...PARTNER, website: 'https://a.example' },
    right: ['validation_error'],
  },
  {
    says: 'Send one more, for a colleague (limit 3)',
    tool: 'request_diagnostic',
    input: { ...DIAGNOSTIC, name: 'Luis Gil' },
    right: ['sent'],
  },
  {
    says: 'And another (limit 3)',
    tool: 'request_diagnostic',
    input: { ...DIAGNOSTIC, name: 'Eva Sol' },
    right: ['rate_limited'],
  },
];

const all = await readQuestions(`${ROOT}examples/questions.jsonl`);
const DRAWN = 44;
const drawn = Array.from({ length: DRAWN }, (_, at) => all[Math.floor((at * all.length) / DRAWN)]!);
const turns = [
  ...drawn.map(({ query, relevant }) => ask(query, relevant.length > 0 ? relevant : ['empty', 'near'])),
  ...WRITTEN,
];

const Result = z.looseObject({
  content: z.array(z.looseObject({ text: z.string() })),
  isError: z.boolean().optional(),
});
const Body = z.looseObject({
  matches: z.array(z.looseObject({ claim_id: z.string(), similarity: z.number() })).optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  hint: z.string().optional(),
  issues: z.array(z.string()).optional(),
});

/** What came back in one word, the same for a person, and what to say. */
function told({
  matches,
  code,
  message,
  hint,
  issues,
}: z.infer<typeof Body>): [outcome: string, shown: string, relay: string] {
  if (code === 'validation_error')
    return [code, `${code}: ${issues?.join('; ')}`, 'Ask the person for what is listed; invent nothing.'];
  if (code !== undefined)
    return [
      code,
      `${code}: ${hint}`,
      code === 'rate_limited' ? 'Say how long to wait; nothing was sent.' : 'Mend the call.',
    ];
  if (!matches)
    return ['sent', message ?? '', 'Pass the message on, reference included: here a dry run, nothing was sent.'];
  const [best] = matches;
  if (!best)
    return [
      'empty',
      'no match',
      'Say that the profile states nothing on it; where it is about the brand, offer a request to the team.',
    ];
  const shown = `${best.claim_id} ${best.similarity.toFixed(2)}, ${matches.length} in all`;
  if (best.similarity < 0.6)
    return [
      'near',
      shown,
      `Say that no claim answers this directly; then ${best.claim_id} as the nearest, with its boundary.`,
    ];
  return ['answers', shown, `State ${best.claim_id} within its boundary, and cite it.`];
}

const directory = await mkdtemp(join(tmpdir(), 'aval-turns-'));
const settings = {
  BASE_URL: 'http://127.0.0.1',
  DATA_DIR: directory,
  LIMIT_DEFAULT: '1000/60',
  LIMIT_ACTIONS: '3/3600',
};
const aval = await createServer(settings, { log: () => {} });
const rows: (string | number)[][] = [];
let asExpected = 0;
for (const [at, { says, tool: name, input = {}, right }] of turns.entries()) {
  const tool = aval.tools.find(one => one.name === name);
  const call = tool ? `\`${name}\` ${JSON.stringify(input)}` : 'no tool';
  let [outcome, shown, relay] = ['', '', 'Answer without the brand, or say that you cannot.'];
  let tokens = 0;
  let claim = '';
  if (tool) {
    const { content } = Result.parse(await tool.call(input, 'reader'));
    tokens = content.reduce((sum, { text }) => sum + encode(text).length, 0);
    const body = Body.parse(JSON.parse(content[0]?.text ?? '{}'));
    claim = body.matches?.[0]?.claim_id ?? '';
    [outcome, shown, relay] = told(body);
  }
  const isRight = !tool || right.some(one => one === outcome || one === claim);
  asExpected += Number(isRight);
  rows.push([at + 1, says || '(nothing)', call, shown, tokens, relay, isRight ? 'yes' : `no: ${right.join(', ')}`]);
}
await aval.close();
await rm(directory, { recursive: true });

const page = `# First turns

Written by \`npm run bench -- turns --write\` from the example's profile, table and encoder: ${turns.length} turns, ${asExpected} with what was expected first. The first ${DRAWN} are questions of \`examples/questions.jsonl\`, evenly drawn. Tokens are those of o200k that a model reads. Tool and arguments are what a careful agent would send, written by hand; no model was asked.

${table(['', 'somebody says', 'right call', 'what came back', 'tokens', 'right relay', 'as expected'], rows)}
`;
process.stdout.write(page);
if (process.argv.includes('--write')) await writeFile(`${ROOT}bench/results/first-turns.md`, page);
process.exit(0);
