import type { SubmissionLimits } from './policies.ts';

/** `dry-run`: mail goes to files. A submission that was received in one mode is never sent in the other. */
export const MODES = ['production', 'dry-run'] as const;

export type Mode = (typeof MODES)[number];

/** A client in the limits, as HMACs, never as an address. */
export interface Client {
  /** HMAC of the IPv4 address or of the IPv6 /64, which one home or server usually has alone. */
  readonly clientHash: string;
  /** HMAC of the IPv4 /24 or the IPv6 /48. It bounds confirmations. Absent for stdio. */
  readonly networkHash?: string | undefined;
  /** The network is an IPv6 /48. One person may be many of its clients, so it bounds forms too. */
  readonly isIpv6?: boolean | undefined;
}

/** Where a call comes from. Stored with submissions. */
export interface Origin extends Client {
  /** The surface: JSON over REST, a form post, MCP over HTTP, MCP over stdio, or A2A (questions only). */
  readonly channel: 'rest' | 'form' | 'mcp' | 'stdio' | 'a2a';
  /** Id of the request in the log. Absent if the log has no line for it. */
  readonly requestId?: string | undefined;
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
 * The record of a question. It has no key of the client, so nobody can connect two questions of one person.
 */
export interface AskedQuestion {
  /** Milliseconds since 1970. */
  readonly askedAtMs: number;
  readonly query: string;
}

/** Prefix of the name of a note, if the sender chose the name. */
export const EXTRA_PREFIX = 'extra.';

/** A validated request of a person. */
export interface Submission extends Omit<Origin, 'notes'> {
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
  /** A repeat of an Idempotency-Key must have equal ones: the fields without notes. Default: `fields`. */
  readonly comparedFields?: Readonly<Record<string, string>>;
}

/**
 * The state of one delivery of a submission. `pending`: not yet sent. `waiting`: a confirmation over a bound,
 * sent when there is room, within 48 hours. `skipped`, `failed`: the record says why.
 */
export const DELIVERY_STATES = ['pending', 'waiting', 'delivered', 'skipped', 'failed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * The outcome of a submission. People, agents, mails and the log use its `reference`, `ABCD-1234`.
 * - `delivered`: the mail server accepted the team's mail. A success.
 * - `replayed`: a repeat of an Idempotency-Key whose mail was sent. The same success, no second mail.
 * - `conflict`: the same Idempotency-Key with another body. `validation_error`; nothing is stored.
 * - `kept`: stored, but the mail failed and is tried again. `delivery_failed` that says so; it counts.
 * - `limited`: over a limit; nothing is stored.
 * - `not-kept`: it could not be stored, nothing is sent. `delivery_failed`; it does not count.
 */
export type DeliverOutcome = { readonly limits?: SubmissionLimits | undefined } & (
  | (Receipt & { readonly outcome: 'delivered' | 'replayed' | 'kept' })
  | { readonly outcome: 'conflict' | 'limited' | 'not-kept' }
);

interface Receipt {
  readonly reference: string;
  /** State of the confirmation to the sender. `none`: this action sends none. */
  readonly confirmation: DeliveryState | 'none';
}

/** The success of a submission, as data. */
export interface Submitted extends Receipt {
  readonly mode: Mode;
}

/** The port between the submission tools and the outbox. It never rejects. */
export type Deliver = (submission: Submission) => Promise<DeliverOutcome>;
