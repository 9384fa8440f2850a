import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/**
 * A request listener for node:http, Connect and Express. It passes paths that are not the service's to
 * `next`, or answers 404 without `next`. The types of HTTP/2 are for frameworks that name them. It has its
 * own file, because the package's types contain every file that its entry reaches (release/types.js).
 * @throws TypeError for a request over HTTP/2
 */
export type Middleware = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  next?: () => void,
) => void;
