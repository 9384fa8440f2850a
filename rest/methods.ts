import { H3, type H3Event, HTTPResponse } from 'h3';
import { ServiceError } from '../tools/errors.ts';
import { nodeRequest } from './event.ts';

/** h3 that lists its paths. */
export class App extends H3 {
  readonly routes: Parameters<H3['on']>[] = [];

  override on(...route: Parameters<H3['on']>): this {
    this.routes.push(route);
    return super.on(...route);
  }

  /** Every path that has a route. */
  get paths(): ReadonlySet<string> {
    return new Set(this.routes.map(([, path]) => path));
  }
}

/** A middleware. @throws ServiceError `not_found` for an unknown path */
export function requireRoute(event: H3Event): HTTPResponse | undefined {
  if (event.context.matchedRoute) return undefined;
  // It asks for the server in general (RFC 9110, 9.3.7).
  if (event.req.method === 'OPTIONS' && nodeRequest(event).url === '*')
    return new HTTPResponse(null, { status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' } });
  throw new ServiceError('not_found');
}

/**
 * Answers OPTIONS, and every other method with 405, on each path that has a route. h3 answers 404 to both.
 * HEAD goes where GET does (RFC 9110, 10.2.1). Mount it last.
 */
export function answerOtherMethods(app: App): void {
  const routes = [...app.routes];
  for (const path of app.paths) {
    const ofPath = routes.filter(([, route]) => route === path);
    const meta = ofPath[0]?.[3]?.meta ?? {};
    const get = ofPath.find(([method]) => method === 'GET');
    if (get) app.on('HEAD', path, get[2], { meta });
    const methods = ofPath.flatMap(([method]) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const allow = [...methods, 'OPTIONS'].join(', ');
    const headers = { allow, 'access-control-allow-methods': allow };
    app.on('OPTIONS', path, () => new HTTPResponse(null, { status: 204, headers }), { meta });
    app.on(
      '',
      path,
      ({ context }) => {
        context.headers.push(['allow', allow]);
        throw new ServiceError('method_not_allowed');
      },
      { meta },
    );
  }
}
