import { ServiceError } from '../tools/errors.ts';
import { readForm } from './forms/form-body.ts';
import { isVisit, type Pages, visitOf } from './forms/pages.ts';
import { requireNext, takeApart } from './forms/reserved-fields.ts';
import { mediaType, readJson } from './http/body.ts';
import { createRenderer, type Reply, renderedReply } from './http/reply.ts';
import type { Exchange, Handler, Origin } from './http/resource.ts';
import { idempotencyKey } from './idempotency-key.ts';
import type { ToolRoute } from './routes.ts';

/** What the operator decides about forms. */
export interface FormSettings {
  /** Where a browser is sent after a plain form post; without one it gets a page. */
  readonly thanksUrl: string | undefined;
  /** A field of plain form posts that people leave empty, besides `_gotcha`. */
  readonly honeypot: string | undefined;
  /** The page that says what becomes of the data; without one the forms ask for no consent. */
  readonly privacyUrl: string | undefined;
}

/** What plain form posts need besides. */
export interface FormParts extends Pick<FormSettings, 'thanksUrl' | 'honeypot'> {
  readonly pages: Pages;
  /** Where `_next` may lead. */
  readonly allowsOrigin: (origin: string) => boolean;
}

/** A row of ROUTES as a handler: slot, arguments, tool, reply; for a browser that navigates, as a page. */
export function toolHandler(route: ToolRoute, parts: FormParts): Handler {
  const { tool, limit } = route;
  const render = createRenderer();
  return async exchange => {
    const visit = takesPages(route, exchange) && isVisit(exchange) ? visitOf(exchange) : undefined;
    let values: Readonly<Record<string, string>> = {};
    try {
      const takeSlot = () => exchange.admission.take(limit.bucket);
      if (limit.counts === 'request') await takeSlot();
      const { argument, origin, next } = await readCall(route, exchange, parts, read => {
        values = read;
      });
      const language = visit && parts.pages.languageOf(visit);
      const result = await tool.call(argument, exchange.contextFor({ ...origin, language }), takeSlot);
      if (!visit) return renderedReply(200, render(result));
      return next === undefined ? parts.pages.accepted({ tool, values }, result, visit) : seeOther(next);
    } catch (error) {
      if (!visit || !(error instanceof ServiceError)) throw error;
      exchange.report(error);
      return parts.pages.refused(error, visit, { tool, values });
    }
  };
}

interface Call {
  readonly argument: unknown;
  readonly origin: Origin;
  /** Where a browser goes on to. */
  readonly next?: string | undefined;
}

type Read = (values: Readonly<Record<string, string>>) => void;

/** @param onRead is told what was typed before anything of it can be refused */
async function readCall(route: ToolRoute, exchange: Exchange, parts: FormParts, onRead: Read): Promise<Call> {
  const { input } = route;
  if (input.from === 'query') {
    const argument = queryArguments(exchange, input.parameters);
    onRead(argument);
    return { argument, origin: REST };
  }
  // A question has no use for the key, and must not fail for it.
  const key = route.tool.annotations.readOnlyHint ? undefined : idempotencyKey(exchange.request);
  if (!isForm(route, exchange)) {
    return {
      argument: await readJson(exchange.request, input.maxBytes, input.forms),
      origin: { ...REST, idempotencyKey: key },
    };
  }
  const sent = takeApart(await readForm(exchange.request, input.maxBytes), parts.honeypot);
  onRead(sent.fields);
  return {
    argument: sent.fields,
    origin: { channel: 'form', idempotencyKey: key, suspect: sent.suspect, notes: sent.notes },
    next: sent.next === undefined ? parts.thanksUrl : requireNext(sent.next, parts.allowsOrigin),
  };
}

const REST: Origin = { channel: 'rest' };

/** Questions in the URL and form posts come from browsers too; JSON bodies come from programs. */
const takesPages = (route: ToolRoute, exchange: Exchange) => route.input.from === 'query' || isForm(route, exchange);

function isForm({ input }: ToolRoute, { request }: Exchange): boolean {
  return input.from === 'body' && input.forms.some(type => type === mediaType(request));
}

const seeOther = (location: string): Reply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
  body: null,
});

/** @throws ServiceError `missing_query` naming the parameter when the argument's own name was used instead */
function queryArguments(exchange: Exchange, parameters: Readonly<Record<string, string>>): Record<string, string> {
  const query = exchange.query();
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
