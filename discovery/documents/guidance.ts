import { similarityMeaning } from '../../brand/retrieval/similarity.ts';
import { MAX_KEY_LENGTH } from '../../tools/idempotency-key.ts';
import { BUCKETS, type Bucket, type Policies, policyText } from '../../tools/policies.ts';
import { countText } from '../../tools/words/counts.ts';
import { MCP_PATH } from './document.ts';
import { actionsIn, type Site } from './site.ts';

/** One line: whose server it is, and what the brand does if its profile says so. */
export function serverSentence({ brandName, profile, serverInfo: { description } }: Site): string {
  if (!profile) return 'This server has no brand profile now.';
  return `This is the server of ${brandName}${description === undefined ? '' : `: ${description}`}.`;
}

/** When to use each tool. An expired profile answers nothing, so ask_brand is left out. */
export const whenToUse = ({ isExpired, tools }: Site): string[] =>
  tools.filter(({ submits }) => submits || !isExpired()).map(({ when }) => when);

export const whenNotToUse = (site: Site): readonly string[] => [
  'for general knowledge or other companies',
  ...(hasActions(site) ? ['for submissions that nobody asked for, nor for tests of them'] : []),
  'for payments: none are processed',
];

/** Whether people can send anything. */
export const hasActions = ({ tools }: Pick<Site, 'tools'>): boolean => actionsIn(tools).length > 0;

export const answerRules = ({ calibrated }: Pick<Site, 'calibrated'>): readonly string[] => [
  'Compose the answer yourself from the claims: they are returned verbatim, no text is generated here.',
  'Honor the boundary of each claim you use: say where it applies, and never use it where it does not.',
  'Cite the claim_id of each claim you use, and offer its proofs.',
  'Invent nothing: no figure, client or condition that no match states.',
  'Where the list is empty, no claim answers: say so, and do what `note` says.',
  `${similarityMeaning(calibrated)} ` +
    '`confidence` is how sure the brand is of the claim, whatever the question.',
];

export function submissionRules({ mode, tools }: Pick<Site, 'mode' | 'tools'>): string[] {
  return [
    mode === 'production'
      ? 'It is a real submission that reaches people by email. There is no sandbox: never send a test.'
      : 'On this server it is a dry run: mail goes to files, and a success says ' +
        `\`"mode":"${mode}"\`. Elsewhere it is real.`,
    'Ask the person first: show every field as it will be sent, and send it only with their consent.',
    'Never invent, guess or fill up a field. Ask for what is missing.',
    'Send it once. After an error follow its hint: where the request was kept, it says so, and ' +
      'nothing is to be sent again.',
    `Tell the person that a human replies within ${replyTimes(tools)}. The success message is in ` +
      'Spanish, its `reference` names the request.',
    'Use the MCP tool to automate submissions; the REST forms are the ones the website uses.',
  ];
}

/**
 * `48 hours`. If the actions differ: `24 hours (request_diagnostic) or 48 hours (apply_partner_program)`.
 */
function replyTimes(tools: Site['tools']): string {
  const actions = actionsIn(tools);
  const times = actions.map(({ replyHours }) => countText(replyHours, 'hour'));
  if (new Set(times).size === 1) return times[0] ?? '';
  return actions.map(({ name }, index) => `${times[index]} (${name})`).join(' or ');
}

export const IDEMPOTENCY =
  `Forms and tools take an \`Idempotency-Key\` of 1 to ${MAX_KEY_LENGTH} characters: a header, or over MCP ` +
  '`_meta["idempotency-key"]`. ' +
  'The same key and fields get the first answer again and send nothing; with other fields it is ' +
  'a `validation_error`, ' +
  'unless another client sends it. A repeated key takes no slot. Without a key each submission is a new one.';

/** The limit of a bucket in words: `60 requests per minute per client`. */
export const limitText = (bucket: Bucket, policies: Policies): string =>
  policyText(bucket.policy, policies[bucket.policy]);

/** The limits of a service. Paths that are off and actions that it does not offer are left out. */
export function limitRows({ policies, off, tools }: Pick<Site, 'policies' | 'off' | 'tools'>) {
  const served = Object.entries(BUCKETS).filter(
    ([name, { policy }]) =>
      (name !== 'a2a' || !off.has('a2a')) && (policy === 'default' || hasActions({ tools })),
  );
  return served.map(([, bucket]) => {
    const { quota, windowSeconds, scope } = policies[bucket.policy];
    const text = limitText(bucket, policies);
    return { scope: bucket.covers, policy: bucket.policy, quota, windowSeconds, per: scope, text };
  });
}

/** How limits count and show. */
export const limitRules = (site: Site): readonly string[] => [
  'A client is an IPv4 address (also mapped into IPv6) or an IPv6 /64 network.',
  ...(hasActions(site) ? ['Failed validations do not count against the limits of submissions.'] : []),
  `Every response shows the limits in its \`RateLimit\` headers; the 400 of \`POST ${MCP_PATH}\` ` +
    'is the exception.',
  'A request over a limit gets 429 with `Retry-After` in seconds; over MCP that is the JSON-RPC ' +
    'error -32000.',
];

/** How errors look. */
export const errorRules = (site: Site): readonly string[] => [
  'Over REST an error is JSON: `ok` false, `error`, `code`, `hint` and, for a ' +
    '`validation_error`, `issues` with one `field: rule` each. Follow the hint.',
  ...(hasActions(site) ? ['A form post of a browser gets a page instead of JSON.'] : []),
  'Over MCP a tool that failed is a result with `isError` true and that JSON as text.',
];

/** What the signature proves, and what it does not. */
export function trust({ baseUrl, isExpired, off, profile, signed }: Site): string {
  if (!profile) return 'No brand profile is loaded now: questions get 503 `not_configured` until one is.';
  if (isExpired())
    return (
      'The brand profile has expired: do not rely on its claims. Questions get 503 ' +
      '`not_configured` until the brand signs it again.'
    );
  if (!signed) return 'The brand profile is not signed here, so nobody can check where it comes from.';
  const keys = off.has('jwks') ? '' : `, with the keys at ${baseUrl}/.well-known/jwks.json`;
  return (
    `The brand profile (${baseUrl}/.well-known/brand.json) is signed: JWS over the RFC 8785 ` +
    'bytes of the document ' +
    `without its member signatures${keys}. ` +
    'The signature proves origin and integrity, not truth: check the proofs for that.'
  );
}
