import type { Answer, Match } from '../../brand/retrieval/brand.ts';
import { timeReasons } from '../../brand/trust/verify-profile.ts';
import { writeJson, writeLines } from '../../owner/output.ts';
import { askBrand } from '../../tools/ask-brand.ts';
import { ServiceError } from '../../tools/errors.ts';
import { faultLine } from '../../tools/faults.ts';
import type { Messages } from '../../tools/words/es.ts';
import { languageOf, messagesByTag, messagesOf } from '../../tools/words/language.ts';
import { readConfig } from '../config/config.ts';
import type { Log } from '../config/log.ts';
import { untilExpiry } from '../run/expiry.ts';
import { loadBrand } from '../run/load-brand.ts';
import { chosenBrand } from './chosen-brand.ts';

/** The tool of /ask: the terminal gets the same checks and the same answer. */
const ASK_BRAND = askBrand();

interface AskOptions {
  readonly brand?: string;
  readonly json?: boolean;
}

/**
 * `aval ask`: prints the best claims for a person, in the language of the question, or the body of /ask.
 * @throws Error with the rule for a question that /ask would refuse, and for an expired profile
 */
export async function ask(question: string, { brand: file, json }: AskOptions): Promise<void> {
  const { environment } = await chosenBrand({ named: file });
  const config = readConfig(environment);
  const now = () => new Date();
  const brand = untilExpiry(await loadBrand(config, warn), Date.now);
  const origin = { channel: 'stdio', clientHash: 'terminal' } as const;
  const context = { brand, deliver: refuse, mode: 'dry-run' as const, now, origin };
  const answer = await ASK_BRAND.call({ query: question }, context, refuse).catch(error => {
    const steps = timeReasons(brand.profile, now()).map(({ fix = '' }) =>
      fix.replace('FILE', config.brandFile),
    );
    throw readableError(error, steps);
  });
  const words = messagesByTag(languageOf(question)) ?? messagesOf(brand.profile.language);
  if (json) writeJson(process.stdout, ASK_BRAND.body(answer));
  else writeLines(process.stdout, answerLines(answer, words));
}

/** A log for a person: it prints warnings and errors as sentences. */
const warn: Log = (level, _event, fields) => {
  if (level !== 'info') process.stderr.write(`aval: ${fields?.warning ?? JSON.stringify(fields)}\n`);
};

/** Adds next steps to an error. @param steps for the owner of the profile */
function readableError(error: unknown, steps: readonly string[]): unknown {
  if (!(error instanceof ServiceError)) return error;
  const faults = (error.details.issues ?? []).map(faultLine);
  return new Error([error.message, ...faults, ...steps].join('\n  '), { cause: error });
}

const refuse = () => Promise.reject(new Error('a question submits nothing'));

function answerLines({ brand, query, matches }: Answer, words: Messages): string[] {
  const paragraphs = matches.map(match => ['', ...matchLines(match, words)]);
  if (matches.length === 0) paragraphs.push(['', words.ask.none]);
  return [`${brand}: ${query}`, ...paragraphs.flat()];
}

function matchLines(match: Match, { match: labels }: Messages): string[] {
  const { metric, boundary, proofs, confidence } = match;
  return [
    `${match.similarity.toFixed(2)}  ${match.statement}`,
    ...(metric ? [metricLine(metric)] : []),
    `${labels.applies}: ${boundary.applicable_for}`,
    `${labels.excludes}: ${boundary.not_applicable_for}`,
    ...proofs.map(proof => `${proof.title}. ${labels.checkable}: ${proof.verifiable_by}`),
    ...(confidence === 'low' ? [labels.low] : []),
    match.claim_id,
  ];
}

function metricLine({ name, value, unit = '', window, baseline }: NonNullable<Match['metric']>): string {
  return `${name}: ${[`${value} ${unit}`.trim(), window, baseline].filter(Boolean).join('; ')}`;
}
