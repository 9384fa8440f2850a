import type { EventHandler, H3, H3Event } from 'h3';
import { ServiceError } from '../tools/errors.ts';
import { idempotencyKey } from '../tools/idempotency-key.ts';
import { SERVICE } from '../tools/service-facts.ts';
import type { Backend, Tool, ToolResult } from '../tools/tool.ts';
import { readerOf } from '../tools/words/language.ts';
import { readJson } from './body.ts';
import { nodeRequest } from './event.ts';
import { queryOf, visitOf } from './negotiation.ts';
import { keptFromSecond } from './response.ts';
import { acts, routesOf, STATUS_PATH, type ToolRoute } from './routes.ts';

export interface ApiOptions {
  /** Those that the profile offers. */
  readonly tools: readonly Tool[];
  readonly backend: Backend;
  readonly now: () => Date;
  /** @throws ServiceError 403 for a post that another site made a browser send */
  readonly refuseCrossSite: (event: H3Event) => void;
  /** Answers the browsers of a route with pages, and hands programs on (rest/forms). */
  readonly withPages: (route: ToolRoute, handler: EventHandler) => EventHandler;
}

/** The REST API: every route of the tools with its aliases, and the status. */
export function mountApi(app: H3, { tools, backend, now, refuseCrossSite, withPages }: ApiOptions): void {
  for (const route of routesOf(tools)) {
    const handler = withPages(route, toolHandler(route, backend, refuseCrossSite));
    for (const path of [route.path, ...route.aliases])
      app.on(route.method, path, handler, { meta: metaOf(route) });
  }
  app.get(STATUS_PATH, status(backend, now), { meta: { bucket: 'status' } });
}

/** What the middleware has to know of a route. */
export const metaOf = (route: ToolRoute) =>
  acts(route)
    ? ({ bucket: route.bucket, isListed: true, unforeseen: 'delivery_failed' } as const)
    : { bucket: route.bucket };

/** Slot, arguments, tool. Its JSON is rendered here, so that an answer that comes again is not rendered again. */
export function toolHandler(
  route: ToolRoute,
  backend: Backend,
  refuseCrossSite: ApiOptions['refuseCrossSite'],
): EventHandler {
  const { tool, input } = route;
  const render = keptFromSecond(
    (result: ToolResult) => Buffer.from(tool.json(result, backend)),
    ({ length }) => length,
  );
  return async event => {
    const { caller } = event.context;
    const takeSlot = await begin(route, event, refuseCrossSite);
    const argument =
      input.from === 'query'
        ? queryArguments(event, input.parameters)
        : await readJson(event, { others: input.forms, mayBeEmpty: !acts(route) });
    const origin = { channel: 'rest', ...caller, ...(acts(route) && senderOf(event)) } as const;
    return render(await tool.call(argument, { origin, ...backend }, takeSlot));
  };
}

/**
 * Before anything is read: a question takes its slot, and a post from a page of another site is refused.
 * @returns takes the slot of a submission once it is valid
 */
export async function begin(
  route: ToolRoute,
  event: H3Event,
  refuseCrossSite: ApiOptions['refuseCrossSite'],
) {
  const takeSlot = () => event.context.admission.take(route.bucket);
  if (acts(route)) refuseCrossSite(event);
  else await takeSlot();
  return takeSlot;
}

/** The key and the language of who sends a submission. A question has no use for them, and must not fail for them. */
function senderOf(event: H3Event) {
  const { lang, acceptLanguage } = visitOf(event);
  return { idempotencyKey: keyOf(event), language: readerOf(lang, acceptLanguage)?.tag };
}

/** The Idempotency-Key of a submission. @throws ServiceError `validation_error` */
export const keyOf = (event: H3Event): string | undefined =>
  idempotencyKey(nodeRequest(event).headersDistinct['idempotency-key'] ?? []);

/** @throws ServiceError `missing_query` naming the parameter when the argument's own name was used instead */
export function queryArguments(event: H3Event, parameters: Readonly<Record<string, string>>) {
  const query = queryOf(event);
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

/** Liveness. A profile that has expired is told besides the contract's five members. */
const status =
  ({ brand }: Backend, now: () => Date): EventHandler =>
  async ({ context }) => {
    await context.admission.take('status');
    const { name: service, apiVersion: api_version } = SERVICE;
    const time = now();
    const isExpired = time.getTime() >= Date.parse(brand?.profile.expires_at ?? '');
    return {
      ...{ ok: true, status: 'ok', service, api_version, time: time.toISOString() },
      ...(isExpired && { profile: 'expired' }),
    };
  };
