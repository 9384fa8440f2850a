/** An answer of the server to an example request (docs/example-requests.ts). */
export interface RecordedAnswer {
  /** `METHOD /path` */
  readonly operation: string;
  readonly name: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON, else text; absent where it is empty. */
  readonly body?: unknown;
}
