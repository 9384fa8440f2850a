import { type H3, HTTPResponse } from 'h3';
import { ServiceError } from '../tools/errors.ts';

/**
 * Answers OPTIONS, and every other method with 405, on each path that has a route; h3 answers 404 to both. HEAD goes where
 * GET does (RFC 9110, 10.2.1). To be mounted last.
 */
export function answerOtherMethods(app: H3): void {
  const routes = [...app['~routes']];
  for (const path of pathsOf(app)) {
    const own = routes.filter(({ route }) => route === path);
    const meta = own[0]?.meta ?? {};
    const get = own.find(({ method }) => method === 'GET');
    if (get) app.head(path, get.handler, { meta });
    const methods = own.flatMap(({ method = '' }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const allow = [...methods, 'OPTIONS'].join(', ');
    const headers = { allow, 'access-control-allow-methods': allow };
    app.options(path, () => new HTTPResponse(null, { status: 204, headers }), { meta });
    app.all(
      path,
      ({ context }) => {
        context.headers.push(['allow', allow]);
        throw new ServiceError('method_not_allowed');
      },
      { meta },
    );
  }
}

/** Every path that has a route. */
export const pathsOf = (app: H3): ReadonlySet<string> => new Set(app['~routes'].flatMap(({ route = [] }) => route));
