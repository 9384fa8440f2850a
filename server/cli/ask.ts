import { styleText } from 'node:util';
import { escapeInvisible } from '../../brand/profile/visible.ts';
import type { Answer, Match } from '../../brand/retrieval/brand.ts';
import { writeJson } from '../../owner/output.ts';
import { askBrand } from '../../tools/ask-brand.ts';
import { ServiceError } from '../../tools/errors.ts';
import { faultLine } from '../../tools/faults.ts';
import { readConfig } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { loadBrand } from '../run/load-brand.ts';
import { chosenBrand } from './chosen-brand.ts';

const QUESTION = askBrand();

interface AskOptions {
  readonly brand?: string;
  readonly json?: boolean;
}

/**
 * `aval ask`: the best claims on the terminal.
 * @throws Error for a question that /ask would refuse, with the rule
 */
export async function ask(question: string, { brand: file, json }: AskOptions): Promise<void> {
  const { environment } = await chosenBrand({ named: file });
  const config = readConfig(environment);
  const brand = await loadBrand(config, warn);
  const origin = { channel: 'stdio', clientHash: 'terminal', visitor: 'person' } as const;
  const context = { brand, deliver: refuse, mode: 'dry-run' as const, origin };
  const answer = await QUESTION.call({ query: question }, context, refuse).catch(error => {
    throw readableError(error);
  });
  if (json) writeJson(process.stdout, QUESTION.body(answer));
  else process.stdout.write(renderAnswer(printable(answer)));
}

/** A person reads this: what needs attention, in words, and nothing else of the log. */
const warn: Log = (level, _event, fields) => {
  if (level !== 'info') process.stderr.write(`aval: ${fields?.warning ?? JSON.stringify(fields)}\n`);
};

function readableError(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  return new Error([error.message, ...(error.details.issues ?? []).map(faultLine)].join('\n  '), {
    cause: error,
  });
}

const refuse = () => Promise.reject(new Error('a question submits nothing'));

/**
 * A profile of somebody else must not steer the terminal: control characters become spaces, bidi characters
 * their escapes.
 */
function printable(answer: Answer): Answer {
  return JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    typeof value === 'string' ? escapeInvisible(value.replace(/\p{Cc}/gu, ' ')) : value,
  );
}

function renderAnswer({ brand, query, matches, note }: Answer): string {
  const paragraphs = matches.map(renderMatch);
  if (note !== undefined) paragraphs.unshift(`${note}\n`);
  return `${bold(brand)}  ${dim(query)}\n\n${paragraphs.join('\n')}`;
}

function renderMatch(match: Match): string {
  const { metric, boundary } = match;
  const lines = [
    `${bold(match.similarity.toFixed(2))}  ${match.statement}`,
    metric && renderMetric(metric),
    `${styleIf('green', 'applies')}      ${boundary.applicable_for}`,
    `${styleIf('yellow', 'not for')}      ${boundary.not_applicable_for}`,
    ...match.proofs.map(
      proof => `${styleIf('cyan', 'proof')}        ${proof.title}. ${dim(proof.verifiable_by)}`,
    ),
    dim(`${match.claim_id}, confidence ${match.confidence}`),
  ];
  return `${lines.filter(Boolean).join('\n      ')}\n`;
}

function renderMetric({ name, value, unit = '', window, baseline }: NonNullable<Match['metric']>): string {
  const circumstances = [window, baseline].filter(Boolean).join('; ');
  return `${name}: ${value} ${unit} ${dim(circumstances)}`;
}

type Style = Parameters<typeof styleText>[0];

/**
 * Colour where a terminal shows it; NO_COLOR and FORCE_COLOR, 0 included, decide otherwise (no-color.org,
 * force-color.org).
 */
const styleIf = (style: Style, text: string) => styleText(style, text, { stream: process.stdout });
const bold = (text: string) => styleIf('bold', text);
const dim = (text: string) => styleIf('dim', text);
