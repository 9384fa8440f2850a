import { A2A_VERSION } from '../../discovery/documents/agent-card.ts';
import { A2A_PATH } from '../../discovery/documents/document.ts';
import { readBody, requireJson } from '../../rest/body.ts';
import { errorHeaders, type Reply, renderedReply } from '../../rest/reply.ts';
import { parseQuery } from '../../rest/request.ts';
import type { Exchange, Resource } from '../../rest/resource.ts';
import { ServiceError } from '../../tools/errors.ts';
import type { Backend, ToolContext } from '../../tools/tool.ts';
import { a2aError, asA2aError } from './a2a-errors.ts';
import { callMethod } from './a2a-methods.ts';
import { errorText, idOf, parseMessage, type RequestId, RpcError, readMessage, resultBytes } from './messages.ts';

/** A2A 1.0 over JSON-RPC (specification, section 9), read-only: open to every page and client, as /ask is. */
export function a2aResource(backend: Backend): Resource {
  return {
    path: A2A_PATH,
    bucket: 'a2a',
    readableFrom: 'anyone',
    unforeseen: 'not_configured',
    handlers: { POST: exchange => answer(exchange, backend) },
  };
}

async function answer(exchange: Exchange, backend: Backend): Promise<Reply> {
  let id: RequestId = null;
  try {
    await exchange.admission.take('a2a');
    const body = await readBody(exchange.request);
    requireJson(exchange.request);
    const value = parseMessage(body);
    id = idOf(value);
    const message = readMessage(value);
    if (message.kind !== 'request') return { status: 202, headers: { 'cache-control': 'no-store' }, body: null };
    checkVersion(exchange);
    const context: ToolContext = { origin: { channel: 'rest', ...exchange.caller }, ...backend };
    const result = await callMethod(message.method, message.params, context);
    return renderedReply(200, resultBytes(message.id, result));
  } catch (fault) {
    if (!(fault instanceof RpcError || fault instanceof ServiceError)) throw fault;
    exchange.report(fault);
    return faultReply(fault, id);
  }
}

/** The header, or the parameter of that name; without either it is a client of 0.3 (section 3.6). */
function checkVersion({ request }: Exchange): void {
  const asked = request.headers['a2a-version'] ?? parseQuery(request.url).get('A2A-Version') ?? '';
  const [major, minor] = String(asked).split('.');
  if (`${major}.${minor}` !== A2A_VERSION) throw a2aError('VERSION_NOT_SUPPORTED');
}

function faultReply(fault: RpcError | ServiceError, id: RequestId): Reply {
  const error = asA2aError(fault);
  return renderedReply(error.status, errorText(id, error), fault instanceof ServiceError ? errorHeaders(fault) : {});
}
