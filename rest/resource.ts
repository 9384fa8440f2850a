import type { IncomingMessage } from 'node:http';
import type { Origin } from '../tools/deliver.ts';
import type { ErrorCode, ServiceError } from '../tools/errors.ts';
import type { Admission, BucketName } from '../tools/policies.ts';
import type { HeaderPairs, Reply } from './reply.ts';

/** One request, as a handler sees it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly caller: Pick<Origin, 'asker' | 'clientHash' | 'networkHash' | 'requestId' | 'visitor'>;
  readonly admission: Admission;
  /** Logs a fault that the handler answers itself. */
  readonly report: (fault: unknown) => void;
}

export type Handler = (exchange: Exchange) => Promise<Reply>;

/** One path of the service. The server derives HEAD, OPTIONS, 405 with `Allow`, CORS and the common headers from it. */
export interface Resource {
  readonly path: string;
  readonly handlers: { readonly GET?: Handler; readonly POST?: Handler };
  /** The bucket that the rate-limit headers show while the request has taken no slot. */
  readonly bucket: BucketName;
  /** `anyone`: readable from every web page; `listed`: only from the service's own and the allowed origins. */
  readonly readableFrom: 'anyone' | 'listed';
  /** Code of a failure that nobody foresaw. */
  readonly unforeseen: ErrorCode;
  /** Renders an error that its handlers threw. Default: `errorReply`. */
  readonly renderError?: (error: ServiceError, request: IncomingMessage) => Reply;
  /** Headers of every answer. A reply's own header of the same name wins. */
  readonly headers?: HeaderPairs;
}

/** The value of `Allow`: HEAD wherever GET is, OPTIONS everywhere (RFC 9110, 10.2.1). */
export function allowedMethods({ handlers }: Resource): string {
  return [...(handlers.GET ? ['GET', 'HEAD'] : []), ...(handlers.POST ? ['POST'] : []), 'OPTIONS'].join(', ');
}
