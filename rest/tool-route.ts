import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../tools/errors.ts';
import { idempotencyKey } from '../tools/idempotency-key.ts';
import type { Backend } from '../tools/tool.ts';
import { readerOf } from '../tools/words/language.ts';
import { readJson } from './body.ts';
import { createRenderer, renderedReply } from './reply.ts';
import { parseQuery } from './request.ts';
import type { Handler } from './resource.ts';
import { acts, type ToolRoute } from './routes.ts';
import { visitOf } from './visit.ts';

/** The handler of a route: slot, arguments, tool, reply. */
export function toolHandler(route: ToolRoute, backend: Backend): Handler {
  const { tool, bucket, input } = route;
  const render = createRenderer(output => JSON.stringify(output));
  return async ({ request, caller, admission }) => {
    const takeSlot = () => admission.take(bucket);
    if (!acts(route)) await takeSlot();
    const { lang, acceptLanguage } = visitOf(request);
    const reader = acts(route) && { language: readerOf(lang, acceptLanguage)?.tag };
    const origin = { channel: 'rest', idempotencyKey: keyOf(route, request), ...caller, ...reader } as const;
    const argument =
      input.from === 'query'
        ? queryArguments(request, input.parameters)
        : await readJson(request, { others: input.forms, mayBeEmpty: !acts(route) });
    return renderedReply(200, render(tool.body(await tool.call(argument, { origin, ...backend }, takeSlot))));
  };
}

/**
 * The Idempotency-Key of a submission. A question has no use for it, and must not fail for it.
 * @throws ServiceError `validation_error`
 */
export function keyOf(route: ToolRoute, request: IncomingMessage): string | undefined {
  // Reading headersDistinct makes Node build it: a tenth of the cost of a question.
  if (!acts(route) || request.headers['idempotency-key'] === undefined) return undefined;
  return idempotencyKey(request.headersDistinct['idempotency-key'] ?? []);
}

/** @throws ServiceError `missing_query` naming the parameter when the argument's own name was used instead */
export function queryArguments({ url }: IncomingMessage, parameters: Readonly<Record<string, string>>) {
  const query = parseQuery(url);
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
