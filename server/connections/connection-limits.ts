/** What one client may hold of the server without asking for much. */
export interface ConnectionLimits {
  /** Connections open at one time from one network. */
  readonly perClient: number;
  /** Connections of one network beyond which its requests are answered in turns with those of others. Browsers open six. */
  readonly few: number;
  /** Requests of one connection that wait for their answers; who pipelines more is answered these and closed. */
  readonly unanswered: number;
  /** Requests sent at once beyond which a connection is cut off unanswered: parsing them costs time and memory by itself. */
  readonly flood: number;
  /** Pieces of the chunked bodies that wait for their answers before their connection is cut off. 64 KB in 1 KB arrive in some 110. */
  readonly pieces: number;
  /** Answers 429 in a row on one connection before it is closed: they cost as much as any other. */
  readonly refusals: number;
  /** How long a client may take to read an answer. Milliseconds. */
  readonly readingMs: number;
  /** How long a connection of a network that has used its processor time waits unread: closed at once, it comes back at once. */
  readonly spentMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  perClient: 200,
  few: 8,
  unanswered: 8,
  flood: 64,
  pieces: 256,
  refusals: 3,
  readingMs: 20_000,
  spentMs: 1000,
};
