import { ServiceError } from '../tools/errors.ts';
import { readForm } from './form.ts';
import { refusalPage, thanksPage } from './form-page.ts';
import { mediaType, readJson } from './http/body.ts';
import { prefers } from './http/prefers.ts';
import { jsonReply, type Reply } from './http/reply.ts';
import type { Exchange, Handler, Origin } from './http/resource.ts';
import { idempotencyKey } from './idempotency-key.ts';
import type { ToolRoute } from './routes.ts';

/** What the operator decides about forms. */
export interface FormSettings {
  /** Where a browser is sent after a plain form post; without one it gets a page. */
  readonly thanksUrl: string | undefined;
  /** A field of plain form posts that people leave empty. */
  readonly honeypot: string | undefined;
}

/** A row of ROUTES as a handler: slot, arguments, tool, reply. */
export function toolHandler(route: ToolRoute, settings: FormSettings): Handler {
  const { tool, limit } = route;
  return async exchange => {
    const asPage = isForm(route, exchange) && prefers(exchange.request.headers.accept, 'text/html', 'application/json');
    try {
      const takeSlot = () => exchange.admission.take(limit.bucket);
      if (limit.counts === 'request') await takeSlot();
      const { argument, origin } = await readCall(route, exchange, settings);
      const result = await tool.call(argument, exchange.contextFor(origin), takeSlot);
      return asPage ? acceptedPage(result, settings) : jsonReply(200, result);
    } catch (error) {
      if (asPage && error instanceof ServiceError) return refusalPage(error);
      throw error;
    }
  };
}

interface Call {
  readonly argument: unknown;
  readonly origin: Origin;
}

async function readCall(route: ToolRoute, exchange: Exchange, settings: FormSettings): Promise<Call> {
  const { input } = route;
  if (input.from === 'query') return { argument: queryArguments(exchange, input.parameters), origin: REST };
  const key = idempotencyKey(exchange.request);
  if (!isForm(route, exchange)) {
    return { argument: await readJson(exchange.request, input.maxBytes), origin: { ...REST, idempotencyKey: key } };
  }
  const { argument, suspect } = withoutTrap(await readForm(exchange.request, input.maxBytes), settings);
  return { argument, origin: { channel: 'form', idempotencyKey: key, suspect } };
}

/** The fields that people fill in, and whether the one they cannot see was filled in too. */
function withoutTrap(fields: Readonly<Record<string, string>>, { honeypot }: FormSettings) {
  if (honeypot === undefined) return { argument: fields, suspect: false };
  const { [honeypot]: trap, ...argument } = fields;
  return { argument, suspect: Boolean(trap) };
}

const REST: Origin = { channel: 'rest' };

function isForm({ input }: ToolRoute, { request }: Exchange): boolean {
  return input.from === 'body' && input.forms.some(type => type === mediaType(request));
}

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

function acceptedPage(result: object, { thanksUrl }: FormSettings): Reply {
  if (thanksUrl !== undefined) {
    return { status: 303, headers: { location: thanksUrl, 'cache-control': 'no-store' }, body: null };
  }
  return thanksPage('message' in result ? String(result.message) : '');
}
