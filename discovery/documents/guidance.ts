import { replyTimes, topics } from '../../tools/actions.ts';
import type { Site } from './site.ts';

/** What every document for agents says in the same words. */

/** Whose server it is, in one line: the name, and what the brand does where its profile says so. */
export function whose({ brandName, profile, presentation: { about } }: Site): string {
  if (!profile) return 'This server has no brand profile now.';
  return about === undefined ? `This is the server of ${brandName}.` : `This is the server of ${brandName}: ${about}.`;
}

export function whenToUse({ brandName, isExpired, presentation }: Site): string[] {
  const ask = [`to answer a question about ${brandName} (${topics([])}) with claims it stands for`];
  return [...(isExpired() ? [] : ask), ...presentation.actions.map(({ use }) => use)];
}

export const whenNotToUse = (site: Site): readonly string[] => [
  'for general knowledge or other companies',
  ...(acts(site) ? ['for submissions that nobody asked for, nor for tests of them'] : []),
  'for payments: none are processed',
];

/** Whether the service offers anything that people can send. */
export const acts = ({ presentation }: Site): boolean => presentation.actions.length > 0;

/** How to use what ask_brand returns. */
export const answerRules = ({ presentation }: Pick<Site, 'presentation'>): readonly string[] => [
  'Compose the answer yourself from the claims: they are returned verbatim, no text is generated here.',
  'Honor the boundary of each claim you use: say where it applies, and never use it where it does not.',
  'Cite the claim_id of each claim you use, and offer its proofs.',
  'Invent nothing: no figure, client or condition that no match states.',
  'Where `note` is present, no claim answers directly: say so, do what it says, and call a near claim near.',
  `Read ${presentation.similarity} Read confidence: how sure the brand is of the claim, whatever the question.`,
];

/** How to act for a person. */
export function submissionRules({ presentation: { mode, actions } }: Site): string[] {
  return [
    mode === 'production'
      ? 'It is a real submission that reaches people by email. There is no sandbox: never send a test.'
      : `On this server it is a dry run: mail goes to files, and a success says \`"mode":"${mode}"\`. Elsewhere it is real.`,
    'Ask the person first: show every field as it will be sent, and send it only with their consent.',
    'Never invent, guess or fill up a field. Ask for what is missing.',
    'Send it once. After an error follow its hint: where the request was kept, it says so, and nothing is to be sent again.',
    `Tell the person that a human replies within ${replyTimes(actions)}. The success message is in Spanish.`,
    'Use the MCP tool to automate submissions; the REST forms are the ones the website uses.',
  ];
}

/** How clients are told apart. */
export const CLIENT = 'A client is an IPv4 address or an IPv6 /64 network.';

/** How a repeat is made safe. */
export const IDEMPOTENCY =
  'Forms and tools take an `Idempotency-Key` of 1 to 255 characters: a header, or over MCP `_meta["idempotency-key"]`. ' +
  'The same key and fields get the first answer again and send nothing; with other fields it is a `validation_error`, ' +
  'unless another client sends it. A repeated key takes no slot. Without a key each submission is a new one.';

/** What every document says once the profile has expired. */
export const EXPIRED =
  'The brand profile has expired: do not rely on its claims. Questions get 503 `not_configured` until the brand signs it again.';

/** What the signature says, and what it does not. */
export function trust({ baseUrl, isExpired, off, presentation, profile }: Site): string {
  if (!profile) return 'No brand profile is loaded now: questions get 503 `not_configured` until one is.';
  if (isExpired()) return EXPIRED;
  if (!presentation.signed) return 'The brand profile is not signed here, so nobody can check where it comes from.';
  const keys = off.has('jwks') ? '' : `, with the keys at ${baseUrl}/.well-known/jwks.json`;
  return (
    `The brand profile (${baseUrl}/.well-known/brand.json) is signed: JWS over the RFC 8785 bytes of the document ` +
    `without its member signatures${keys}. ` +
    'The signature proves origin and integrity, not truth: check the proofs for that.'
  );
}
