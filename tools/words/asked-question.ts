/** What is kept of a question. Never a key of the client: two questions of one person cannot be told from those of two. */
export interface AskedQuestion {
  /** Milliseconds since 1970. */
  readonly at: number;
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
