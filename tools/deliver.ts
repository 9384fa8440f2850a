import type { SubmissionLimits } from './policies.ts';

/** `dry-run`: mail goes to files. A submission that was received in one mode is never sent in the other. */
export const MODES = ['production', 'dry-run'] as const;

export type Mode = (typeof MODES)[number];

/** Where a call comes from. Stored with submissions and recorded questions. */
export interface Origin {
  /** The surface: JSON over REST, a form post, MCP over HTTP, MCP over stdio, or A2A (questions only). */
  readonly channel: 'rest' | 'form' | 'mcp' | 'stdio' | 'a2a';
  /** The client in the limits: an HMAC, never an address. */
  readonly clientHash: string;
  /** Its network, IPv4 /24 or IPv6 /48, as an HMAC. It bounds confirmations. Absent for stdio. */
  readonly networkHash?: string | undefined;
  /** The network is an IPv6 /48. One person may be many of its clients, so it bounds forms too. */
  readonly isIpv6?: boolean | undefined;
  /** Id of the request in the log. Absent if the log has no line for it. */
  readonly requestId?: string | undefined;
  /** `person`: a browser sent it. `agent`: a program sent it. */
  readonly visitor: 'person' | 'agent';
  /** `Idempotency-Key` of the request, at most 255 characters. */
  readonly idempotencyKey?: string | undefined;
  /** The post looks automatic: the team's mail says so, and nobody gets a confirmation. */
  readonly suspect?: boolean | undefined;
  /** BCP 47 tag of the sender's language. Absent: not known, so the profile's language is used. */
  readonly language?: string | undefined;
  /** Notes of the page for the team, by name: `consent`, `page`, `utm_source` and the like. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
}

/**
 * The record of a question. It has no key of the client, so that nobody can connect two questions of one
 * person.
 */
export interface AskedQuestion {
  /** Milliseconds since 1970. */
  readonly askedAtMs: number;
  readonly query: string;
  /** `es`, `en`, or `?`. */
  readonly language: string;
  /** The best match. Absent if there was none. */
  readonly claimId?: string;
  /** Similarity of the best match; 0 if there was none. */
  readonly similarity: number;
  readonly channel: string;
  /** `person`: a browser sent it. `agent`: a program sent it. */
  readonly visitor: 'person' | 'agent';
}

/** Prefix of a note whose name the sender chose. */
export const EXTRA_PREFIX = 'extra.';

/** A validated request of a person. */
export interface Submission extends Omit<Origin, 'visitor' | 'notes'> {
  /** Kind of its action. */
  readonly kind: string;
  readonly confirms: boolean;
  /** Hours within which the sender was promised a reply. */
  readonly replyHours: number;
  /**
   * Fields and notes by name. `email` is required; `name` and `company` go into the subject of the team's
   * mail.
   */
  readonly fields: Readonly<Record<string, string>>;
  /** What a repeat of an Idempotency-Key is compared by: the fields without notes. Default: `fields`. */
  readonly comparedFields?: Readonly<Record<string, string>>;
}

/**
 * The state of one delivery of a submission. `pending`: owed. `waiting`: a bound on confirmations is reached,
 * and it is sent when there is room, within 48 hours. `skipped` and `failed`: the record says why.
 */
export const DELIVERY_STATES = ['pending', 'waiting', 'delivered', 'skipped', 'failed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * The outcome of a submission. People, agents, mails and the log use its `reference`, `ABCD-1234`.
 * - `delivered`: the mail server took the team's mail: success.
 * - `replayed`: the same was delivered before with the same Idempotency-Key: the same success, no second
 * mail.
 * - `conflict`: the same Idempotency-Key with another body: `validation_error`; nothing was kept.
 * - `kept`: committed, but the mail failed and is tried again: `delivery_failed` with `KEPT_HINT`; it counts.
 * - `limited`: over a limit; nothing was kept.
 * - `not-kept`: could not be committed, nothing was sent: `delivery_failed`; it does not count.
 */
export type DeliverOutcome = { readonly limits?: SubmissionLimits | undefined } & (
  | (Kept & { readonly outcome: 'delivered' | 'replayed' | 'kept'; readonly id: string })
  | { readonly outcome: 'conflict' | 'limited' | 'not-kept' }
);

interface Kept {
  readonly reference: string;
  /** What becomes of the confirmation to the sender. `none`: this action sends none. */
  readonly confirmation: DeliveryState | 'none';
}

/** The success of a submission, as data. */
export interface Submitted extends Kept {
  readonly mode: Mode;
}

/** The port between the submission tools and the outbox. It never rejects. */
export type Deliver = (submission: Submission) => Promise<DeliverOutcome>;

/** Hint of `delivery_failed` where the outcome is `kept`. */
export const KEPT_HINT = 'We have kept your request and keep trying; no need to send it again.';
