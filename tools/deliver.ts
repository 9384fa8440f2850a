import type { Asker } from '../brand/retrieval/brand.ts';
import type { SubmissionLimits } from './policies.ts';

/** `dry-run`: mail goes to files. Nothing that was taken in one mode is ever sent in the other. */
export const MODES = ['production', 'dry-run'] as const;

export type Mode = (typeof MODES)[number];

/** Where a call comes from. Submissions and the record of questions keep it. */
export interface Origin {
  /** The surface: JSON over REST, a plain form post, MCP over HTTP, MCP over stdio, A2A (questions alone). */
  readonly channel: 'rest' | 'form' | 'mcp' | 'stdio' | 'a2a';
  /** The client, as the limits know it: an HMAC, never an address. */
  readonly clientHash: string;
  /** Its network, IPv4 /24 or IPv6 /48, which bounds confirmations: an HMAC too. Absent where there is no network. */
  readonly networkHash?: string | undefined;
  /** The network is an IPv6 /48: one person may be many of its clients, so it bounds forms too. */
  readonly isIpv6?: boolean | undefined;
  /** The client, as the queue of questions bounds it. Absent where it has no connection. */
  readonly asker?: (() => Asker) | undefined;
  /** Id of the request in the log; absent where the log has no line for it. */
  readonly requestId?: string | undefined;
  /** `person`: a browser sent it. `agent`: a program sent it. */
  readonly visitor: 'person' | 'agent';
  /** `Idempotency-Key` of the request, at most 255 characters. */
  readonly idempotencyKey?: string | undefined;
  /** The post looks automatic: the team's mail says so, and nobody gets a confirmation. */
  readonly suspect?: boolean | undefined;
  /** BCP 47 tag of the page that it was sent from; absent: the reader is not known, and is written to in the profile's language. */
  readonly language?: string | undefined;
  /** Notes of the page for the team, by name: `consent`, `page`, `utm_source` and the like. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
}

/** What is kept of a question. Never a key of the client: two questions of one person cannot be told from those of two. */
export interface AskedQuestion {
  /** Milliseconds since 1970. */
  readonly askedAtMs: number;
  readonly query: string;
  /** `es`, `en`, or `?`. */
  readonly language: string;
  /** The best claim; absent where nothing fitted. */
  readonly claimId?: string;
  /** Of the best claim; 0 where nothing fitted. */
  readonly similarity: number;
  readonly channel: string;
  /** A browser sent it for a person, or a program of its own. */
  readonly visitor: 'person' | 'agent';
}

/** Stands before the name of a note whose name the sender chose, too. */
export const EXTRA_PREFIX = 'extra.';

/** A request of a person, validated: what the two forms and the two MCP tools hand over. */
export interface Submission extends Omit<Origin, 'asker' | 'visitor' | 'notes'> {
  /** Of its action. */
  readonly kind: string;
  readonly confirms: boolean;
  /** Within this time the sender was promised an answer. */
  readonly replyHours: number;
  /** By field name, the notes among them. Needs `email`; `name` and `company` go into the subject of the team's mail. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * What becomes of the confirmation to the submitter. `none`: this kind of submission gets none. `due`: it is sent next.
 * `waiting`: a bound on confirmations is reached, and it is sent when there is room, within 48 hours. `skipped` and
 * `failed`: the record says why.
 */
export const CONFIRMATIONS = ['none', 'due', 'waiting', 'sent', 'skipped', 'failed'] as const;

type Confirmation = (typeof CONFIRMATIONS)[number];

/**
 * What became of a submission. People, agents, mails and the log name it by its `reference`, `ABCD-1234`.
 * - `delivered`: the mail server took the team's mail: success.
 * - `replayed`: the same was delivered before with the same Idempotency-Key: the same success, no second mail.
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
  readonly confirmation: Confirmation;
}

/** A submission that reached the team, as data: every surface tells it in its own words. */
export interface Submitted extends Kept {
  readonly mode: Mode;
}

/** The port between the submission tools and the outbox. It never rejects. */
export type Deliver = (submission: Submission) => Promise<DeliverOutcome>;

/** Hint of `delivery_failed` where the outcome is `kept`. */
export const KEPT_HINT = 'We have kept your request and keep trying; no need to send it again.';
