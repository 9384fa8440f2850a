import { randomUUID } from 'node:crypto';
import type { H3, H3Event, HTTPResponse } from 'h3';
import * as z from 'zod';
import { A2A_VERSION } from '../../discovery/documents/agent-card.ts';
import { A2A_PATH } from '../../discovery/documents/document.ts';
import { readBody, requireJson } from '../../rest/body.ts';
import { queryOf } from '../../rest/negotiation.ts';
import { jsonResponse } from '../../rest/response.ts';
import { askBrand } from '../../tools/ask-brand.ts';
import { asServiceError, ServiceError } from '../../tools/errors.ts';
import { faultLine } from '../../tools/faults.ts';
import { RPC } from '../../tools/protocol.ts';
import type { Backend } from '../../tools/tool.ts';
import { accepted, faultResponse } from './http.ts';
import {
  asRpcError,
  idOf,
  invalidParams,
  type Message,
  parseMessage,
  type RequestId,
  RpcError,
  readMessage,
} from './messages.ts';

/** A2A 1.0 over JSON-RPC (specification, section 9), read-only: a question in, the body of /ask out. */
export function mountA2a(app: H3, backend: Backend): void {
  app.post(A2A_PATH, event => receive(event, backend), { meta: { bucket: 'a2a' } });
}

async function receive(event: H3Event, backend: Backend): Promise<HTTPResponse> {
  const { admission, log } = event.context;
  let id: RequestId = null;
  try {
    admission.take('a2a');
    const body = await readBody(event);
    requireJson(event);
    const value = parseMessage(body);
    id = idOf(value);
    const message = readMessage(value);
    if (message.kind !== 'request') return accepted();
    // The header, or the parameter of that name; without either it is a client of 0.3 (section 3.6).
    const version = event.req.headers.get('a2a-version') ?? queryOf(event).get('A2A-Version') ?? '';
    if (version.split('.').slice(0, 2).join('.') !== A2A_VERSION) throw refusal('VERSION_NOT_SUPPORTED');
    const result = await resultOf(message, event, backend);
    return jsonResponse(200, JSON.stringify({ jsonrpc: '2.0', id, result }));
  } catch (fault) {
    if (!(fault instanceof RpcError || fault instanceof ServiceError)) throw fault;
    log.report(fault);
    return faultResponse(fault, id, asA2aError);
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
const REFUSED = new Map<string, keyof typeof REFUSALS>([
  ['GetTask', 'TASK_NOT_FOUND'],
  ['CancelTask', 'TASK_NOT_FOUND'],
  ['SendStreamingMessage', 'UNSUPPORTED_OPERATION'],
  ['SubscribeToTask', 'UNSUPPORTED_OPERATION'],
  ['GetExtendedAgentCard', 'UNSUPPORTED_OPERATION'],
  ['CreateTaskPushNotificationConfig', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  ['GetTaskPushNotificationConfig', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  ['ListTaskPushNotificationConfigs', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  ['DeleteTaskPushNotificationConfig', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
]);

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
async function resultOf(request: Message, { context }: H3Event, backend: Backend): Promise<object> {
  const { method, params } = request;
  if (method === 'ListTasks') {
    const { pageSize } = parse(ListTasks, params);
    return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 };
  }
  const reason = REFUSED.get(method);
  if (reason) throw refusal(reason);
  if (method !== 'SendMessage')
    throw new RpcError(RPC.methodNotFound, 'Method not found. Ask with SendMessage.');
  const { message, configuration } = parse(SendMessage, params);
  const { contextId, taskId, parts } = message;
  if (taskId) throw refusal('TASK_NOT_FOUND');
  if (configuration?.taskPushNotificationConfig) throw refusal('PUSH_NOTIFICATION_NOT_SUPPORTED');
  if (parts.some(({ text }) => text === undefined)) throw refusal('CONTENT_TYPE_NOT_SUPPORTED');
  const query = parts.map(({ text }) => text).join('\n');
  const toolContext = { origin: { channel: 'a2a', ...context.caller }, ...backend } as const;
  const answer = await QUESTION.call({ query }, toolContext, () => {});
  const data = QUESTION.body(answer);
  const modes = configuration?.acceptedOutputModes ?? [];
  const takesJson = modes.length === 0 || modes.includes('application/json');
  const part = takesJson
    ? { data, mediaType: 'application/json' }
    : { text: JSON.stringify(data), mediaType: 'text/plain' };
  const ids = { messageId: randomUUID(), ...(contextId && { contextId }) };
  return { message: { ...ids, role: 'ROLE_AGENT', parts: [part] } };
}

function parse<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(params);
  if (success) return data;
  const issues = error.issues.slice(0, 20);
  throw invalidParams(
    issues.map(({ path, message }) => `${path.join('.') || 'params'}: ${message}`).join('; '),
  );
}

function refusal(reason: keyof typeof REFUSALS): RpcError {
  const [code, message] = REFUSALS[reason];
  return new RpcError(code, message, { data: [errorInfo(reason, 'a2a-protocol.org')] });
}

/** What a client can tell errors apart by (section 9.5). */
const errorInfo = (reason: string, domain: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
  metadata: {},
});

/** What the tool refuses is an answer, with 200; the rest has the status that it has at /mcp. */
function asA2aError(fault: unknown): RpcError {
  if (fault instanceof RpcError) return fault;
  const { code: reason, message, hint, details } = asServiceError(fault);
  const { code, status } = asRpcError(fault);
  const keepsStatus = code === RPC.rateLimited || code === RPC.invalidRequest;
  return new RpcError(code, `${message} ${details.issues?.map(faultLine).join('; ') ?? hint}`, {
    status: keepsStatus ? status : 200,
    data: [errorInfo(reason.toUpperCase(), 'aval')],
  });
}
