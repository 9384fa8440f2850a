import { ServiceError } from '../tools/errors.ts';
import { readJson } from './body.ts';
import { errorReply } from './error-response.ts';
import { jsonReply } from './reply.ts';
import type { Exchange, Handler, Resource } from './resource.ts';
import { ROUTES, STATUS_PATH, type ToolRoute } from './routes.ts';
import { status } from './status.ts';

/** The resources of the REST facade: a path for every row and alias of ROUTES, and the status. */
export function restResources(now: () => Date): Resource[] {
  const paths = new Set(ROUTES.flatMap(route => [route.path, ...route.aliases]));
  return [...[...paths].map(toolResource), statusResource(now)];
}

function toolResource(path: string): Resource {
  const rows = ROUTES.filter(route => route.path === path || route.aliases.includes(path));
  const [first] = rows;
  if (!first) throw new Error(`no route for ${path}`);
  return {
    path,
    handlers: Object.fromEntries(rows.map(route => [route.method, toolHandler(route)])),
    bucket: first.limit.bucket,
    readableFrom: first.readableFrom,
    renderError: errorReply,
  };
}

function toolHandler({ tool, limit, input }: ToolRoute): Handler {
  return async exchange => {
    const takeSlot = () => exchange.admission.take(limit.bucket);
    if (limit.counts === 'request') await takeSlot();
    const argument =
      input.from === 'query'
        ? queryArguments(exchange.query(), input.parameters)
        : await readJson(exchange.request, input.maxBytes);
    const result = await tool.call(argument, exchange.context, takeSlot);
    return jsonReply(200, result);
  };
}

/** @throws ServiceError `missing_query` naming the parameter when the argument's own name was used instead */
function queryArguments(query: URLSearchParams, parameters: Readonly<Record<string, string>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [parameter, argument] of Object.entries(parameters)) {
    const value = query.get(parameter);
    if (value !== null) found[argument] = value;
    else if (query.has(argument)) {
      throw new ServiceError('missing_query', { hint: `Use ${parameter} instead of ${argument}.` });
    }
  }
  return found;
}

function statusResource(now: () => Date): Resource {
  const GET = async ({ admission }: Exchange) => {
    await admission.take('status');
    return jsonReply(200, status(now()));
  };
  return { path: STATUS_PATH, handlers: { GET }, bucket: 'status', readableFrom: 'anyone', renderError: errorReply };
}
