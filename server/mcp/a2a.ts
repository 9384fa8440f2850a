import type { H3, H3Event, HTTPResponse } from 'h3';
import { A2A_VERSION } from '../../discovery/documents/agent-card.ts';
import { A2A_PATH } from '../../discovery/documents/document.ts';
import { readBody, requireJson } from '../../rest/body.ts';
import { queryOf } from '../../rest/negotiation.ts';
import { errorHeaders, jsonResponse } from '../../rest/response.ts';
import { ServiceError } from '../../tools/errors.ts';
import type { Backend, ToolContext } from '../../tools/tool.ts';
import { a2aError, asA2aError } from './a2a-errors.ts';
import { callMethod } from './a2a-methods.ts';
import { accepted } from './http.ts';
import { errorText, idOf, parseMessage, type RequestId, RpcError, readMessage, resultBytes } from './messages.ts';

/** A2A 1.0 over JSON-RPC (specification, section 9), read-only: open to every page and client, as /ask is. */
export function mountA2a(app: H3, backend: Backend): void {
  app.post(A2A_PATH, event => answer(event, backend), { meta: { bucket: 'a2a' } });
}

async function answer(event: H3Event, backend: Backend): Promise<HTTPResponse | Uint8Array> {
  const { admission, caller, report } = event.context;
  let id: RequestId = null;
  try {
    await admission.take('a2a');
    const body = await readBody(event);
    requireJson(event);
    const value = parseMessage(body);
    id = idOf(value);
    const message = readMessage(value);
    if (message.kind !== 'request') return accepted();
    checkVersion(event);
    const context: ToolContext = { origin: { channel: 'rest', ...caller }, ...backend };
    return resultBytes(message.id, await callMethod(message.method, message.params, context));
  } catch (fault) {
    if (!(fault instanceof RpcError || fault instanceof ServiceError)) throw fault;
    report(fault);
    const error = asA2aError(fault);
    return jsonResponse(error.status, errorText(id, error), fault instanceof ServiceError ? errorHeaders(fault) : {});
  }
}

/** The header, or the parameter of that name; without either it is a client of 0.3 (section 3.6). */
function checkVersion(event: H3Event): void {
  const asked = event.req.headers.get('a2a-version') ?? queryOf(event).get('A2A-Version') ?? '';
  const [major, minor] = asked.split('.');
  if (`${major}.${minor}` !== A2A_VERSION) throw a2aError('VERSION_NOT_SUPPORTED');
}
