/** A request of a person, validated: what the two forms and the two MCP tools hand over. */
export interface Submission {
  readonly kind: 'diagnostic' | 'partner';
  /** The surface it came through: JSON over REST, a plain form post, MCP over HTTP, MCP over stdio. */
  readonly channel: 'rest' | 'form' | 'mcp' | 'stdio';
  /** By field name. Needs `email`; `name` and `company` go into the subject of the team's mail. */
  readonly fields: Readonly<Record<string, string>>;
  /** Who sent it, as the limits tell clients apart: an HMAC, never an address. */
  readonly clientHash: string;
  /** `Idempotency-Key` of the request, at most 255 characters. */
  readonly idempotencyKey?: string | undefined;
  /** A sign of an automatic post was seen: the team's mail says so, and no confirmation is sent. */
  readonly suspect?: boolean | undefined;
  /** BCP 47 tag of the page that it was sent from; without one, the brand's own language. */
  readonly language?: string | undefined;
}

/**
 * What became of a submission. `reference`, `ABCD-1234`, is what person, agent, mails and log call it.
 * - `delivered`: the team's mail was accepted: success.
 * - `replayed`: the same Idempotency-Key and body were delivered before: the same success, no second mail.
 * - `conflict`: the same Idempotency-Key with another body: `validation_error`; nothing was kept.
 * - `kept`: committed, mail failed, re-delivery goes on: `delivery_failed` with `KEPT_HINT`; the slot stays taken.
 * - `not-kept`: could not be committed, nothing was sent: `delivery_failed`; the slot is given back.
 */
export type DeliverOutcome =
  | { readonly outcome: 'delivered' | 'replayed' | 'kept'; readonly id: string; readonly reference: string }
  | { readonly outcome: 'conflict' | 'not-kept' };

/** The port between the submission tools and the outbox. Never rejects: every end has an outcome. */
export type Deliver = (submission: Submission) => Promise<DeliverOutcome>;

/** Hint of `delivery_failed` where the outcome is `kept`. */
export const KEPT_HINT = 'We have kept your request and keep trying; no need to send it again.';
