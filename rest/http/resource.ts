import type { IncomingMessage } from 'node:http';
import type { Submission } from '../../tools/deliver.ts';
import type { ErrorCode, ServiceError } from '../../tools/errors.ts';
import type { Admission, BucketName } from '../../tools/policies.ts';
import type { ToolContext } from '../../tools/tool.ts';
import type { Reply } from './reply.ts';

/** One request, as a handler sees it. */
export interface Exchange {
  readonly request: IncomingMessage;
  /**
   * Parsed when a handler reads it: broken bytes take a slot like any request, and do no harm where nobody reads them.
   * @throws ServiceError `invalid_request` when the escaped bytes are not UTF-8
   */
  readonly query: () => URLSearchParams;
  readonly admission: Admission;
  /** What a tool may use, for a call that came this way. */
  readonly contextFor: (origin: Origin) => ToolContext;
  /** Tells the log of a fault that the handler itself turns into an answer. */
  readonly report: (fault: unknown) => void;
}

/** Where a call comes from, as a submission remembers it. */
export interface Origin extends Pick<Submission, 'channel' | 'idempotencyKey' | 'suspect' | 'language'> {
  /** What the page adds for the team besides the fields, by name: `consent`, `page`, `utm_source` and the like. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
}

export type Handler = (exchange: Exchange) => Promise<Reply>;

/** One path of the service. The server derives HEAD, OPTIONS, 405 with `Allow`, CORS and the common headers from it. */
export interface Resource {
  readonly path: string;
  readonly handlers: { readonly GET?: Handler; readonly POST?: Handler };
  /** Whose state the rate-limit headers show while the request has taken no slot. */
  readonly bucket: BucketName;
  /** `anyone`: readable from every web page; `listed`: only from the service's own and the allowed origins. */
  readonly readableFrom: 'anyone' | 'listed';
  /** Code of a failure that nobody foresaw. */
  readonly unforeseen: ErrorCode;
  /** How it words an error that no handler of its own answered; without it as `errorReply` does. */
  readonly renderError?: (error: ServiceError, request: IncomingMessage) => Reply;
  /** Header lines of each of its answers; a reply's own header of that name takes their place. */
  readonly headers?: readonly [name: string, value: string][];
}

/** The value of `Allow`: HEAD wherever GET is, OPTIONS everywhere (RFC 9110, 10.2.1). */
export function allowedMethods({ handlers }: Resource): string {
  return [...(handlers.GET ? ['GET', 'HEAD'] : []), ...(handlers.POST ? ['POST'] : []), 'OPTIONS'].join(', ');
}
