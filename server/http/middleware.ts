import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/**
 * A request listener of node:http in the form that Connect and Express share: with `next`, a path that is not
 * the service's own is handed on; without it, it is answered with 404. The types of HTTP/2 are there for
 * frameworks that name them. In a file of its own: the package's types are what its own file leads to
 * (release/types.js).
 * @throws TypeError for a request over HTTP/2
 */
export type Middleware = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  next?: () => void,
) => void;
