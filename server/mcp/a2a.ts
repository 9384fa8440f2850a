import { randomUUID } from 'node:crypto';
import type { H3, H3Event, HTTPResponse } from 'h3';
import * as z from 'zod';
import { A2A_VERSION } from '../../discovery/documents/agent-card.ts';
import { A2A_PATH } from '../../discovery/documents/document.ts';
import { readBody, requireJson } from '../../rest/body.ts';
import { queryOf } from '../../rest/negotiation.ts';
import { errorHeaders, jsonResponse } from '../../rest/response.ts';
import { statusOf } from '../../rest/status.ts';
import { askBrand } from '../../tools/ask-brand.ts';
import { type ErrorCode, ServiceError } from '../../tools/errors.ts';
import { faultLine } from '../../tools/faults.ts';
import { RPC } from '../../tools/protocol.ts';
import type { Backend } from '../../tools/tool.ts';
import { accepted } from './http.ts';
import {
  errorText,
  idOf,
  type Message,
  parseMessage,
  type RequestId,
  RpcError,
  readMessage,
  resultBytes,
} from './messages.ts';

/** A2A 1.0 over JSON-RPC (specification, section 9), read-only: open to every page and client, as /ask is. */
export function mountA2a(app: H3, backend: Backend): void {
  app.post(A2A_PATH, event => answer(event, backend), { meta: { bucket: 'a2a' } });
}

async function answer(event: H3Event, backend: Backend): Promise<HTTPResponse | Uint8Array> {
  const { admission, log } = event.context;
  let id: RequestId = null;
  try {
    await admission.take('a2a');
    const body = await readBody(event);
    requireJson(event);
    const value = parseMessage(body);
    id = idOf(value);
    const message = readMessage(value);
    if (message.kind !== 'request') return accepted();
    // The header, or the parameter of that name; without either it is a client of 0.3 (section 3.6).
    const version = event.req.headers.get('a2a-version') ?? queryOf(event).get('A2A-Version') ?? '';
    if (version.split('.').slice(0, 2).join('.') !== A2A_VERSION) throw refusal('VERSION_NOT_SUPPORTED');
    return resultBytes(message.id, await resultOf(message, event, backend));
  } catch (fault) {
    if (!(fault instanceof RpcError || fault instanceof ServiceError)) throw fault;
    log.report(fault);
    const error = fault instanceof RpcError ? fault : asRpcError(fault);
    return jsonResponse(error.status, errorText(id, error), fault instanceof ServiceError ? errorHeaders(fault) : {});
  }
}

/** The errors of A2A 1.0 (section 5.4): code and message. */
const REFUSALS = {
  TASK_NOT_FOUND: [-32001, 'No such task: every message is answered at once.'],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, 'This agent sends no push notifications.'],
  UNSUPPORTED_OPERATION: [-32004, 'This agent neither streams nor has an extended card.'],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, 'Send the question as text parts.'],
  VERSION_NOT_SUPPORTED: [-32009, `Send the header A2A-Version: ${A2A_VERSION}.`],
} as const;

/** The other operations (section 5.3): a question is answered at once, so there is never a task. */
const REFUSED = [
  [/^(Get|Cancel)Task$/, 'TASK_NOT_FOUND'],
  [/^(Create|Get|List|Delete)TaskPushNotificationConfigs?$/, 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  [/^(SendStreamingMessage|SubscribeToTask|GetExtendedAgentCard)$/, 'UNSUPPORTED_OPERATION'],
] as const;

const ListTasks = z.looseObject({ pageSize: z.number().int().min(1).max(100).default(50) });

/** What is read of SendMessageRequest; whatever else it carries has no effect. */
const SendMessage = z.looseObject({
  message: z.looseObject({
    messageId: z.string().min(1),
    role: z.literal('ROLE_USER'),
    parts: z
      .array(z.looseObject({ text: z.string().optional() }))
      .min(1)
      .max(100),
    contextId: z.string().optional(),
    taskId: z.string().optional(),
  }),
  configuration: z
    .looseObject({
      acceptedOutputModes: z.array(z.string()).default([]),
      taskPushNotificationConfig: z.unknown().optional(),
    })
    .optional(),
});

const QUESTION = askBrand();

/** @throws RpcError, or ServiceError where the question itself is refused */
async function resultOf({ method, params }: Message, { context }: H3Event, backend: Backend): Promise<object> {
  if (method === 'ListTasks')
    return { tasks: [], nextPageToken: '', pageSize: parse(ListTasks, params).pageSize, totalSize: 0 };
  for (const [operations, reason] of REFUSED) if (operations.test(method)) throw refusal(reason);
  if (method !== 'SendMessage') throw new RpcError(RPC.methodNotFound, 'Method not found. Ask with SendMessage.');
  const { message, configuration } = parse(SendMessage, params);
  const { contextId, taskId, parts } = message;
  if (taskId) throw refusal('TASK_NOT_FOUND');
  if (configuration?.taskPushNotificationConfig) throw refusal('PUSH_NOTIFICATION_NOT_SUPPORTED');
  if (parts.some(({ text }) => text === undefined)) throw refusal('CONTENT_TYPE_NOT_SUPPORTED');
  const query = parts.map(({ text }) => text).join('\n');
  const asked = { origin: { channel: 'rest', ...context.caller }, ...backend } as const;
  const data = QUESTION.body(await QUESTION.call({ query }, asked, async () => async () => {}));
  const modes = configuration?.acceptedOutputModes ?? [];
  const takesJson = modes.length === 0 || modes.includes('application/json');
  const part = takesJson
    ? { data, mediaType: 'application/json' }
    : { text: JSON.stringify(data), mediaType: 'text/plain' };
  return { message: { messageId: randomUUID(), ...(contextId && { contextId }), role: 'ROLE_AGENT', parts: [part] } };
}

/** Parameters that do not fit are google.rpc.BadRequest, other errors google.rpc.ErrorInfo (section 9.5). */
function parse<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(params);
  if (success) return data;
  const fieldViolations = error.issues
    .slice(0, 20)
    .map(({ path, message }) => ({ field: path.join('.') || 'params', description: message }));
  const lines = fieldViolations.map(({ field, description }) => `${field}: ${description}`);
  const detail = { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations };
  throw new RpcError(RPC.invalidParams, `Invalid parameters: ${lines.join('; ')}.`, { data: [detail] });
}

function refusal(reason: keyof typeof REFUSALS): RpcError {
  const [code, message] = REFUSALS[reason];
  return new RpcError(code, message, { data: [errorInfo(reason, 'a2a-protocol.org')] });
}

const errorInfo = (reason: string, domain: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
  metadata: {},
});

const CODES: Partial<Record<ErrorCode, number>> = {
  validation_error: RPC.invalidParams,
  missing_query: RPC.invalidParams,
  invalid_request: RPC.invalidRequest,
  rate_limited: RPC.rateLimited,
};

function asRpcError(error: ServiceError): RpcError {
  const isRefused = error.code === 'rate_limited' || error.code === 'invalid_request';
  const { message, hint, details } = error;
  const words = details.issues?.map(faultLine).join('; ') ?? hint;
  return new RpcError(CODES[error.code] ?? RPC.internalError, `${message} ${words}`, {
    status: isRefused ? statusOf(error) : 200,
    data: [errorInfo(error.code.toUpperCase(), 'aval')],
  });
}
