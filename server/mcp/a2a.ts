import { randomUUID } from 'node:crypto';
import type { H3, H3Event, HTTPResponse } from 'h3';
import * as z from 'zod';
import { A2A_VERSION } from '../../discovery/documents/agent-card.ts';
import { A2A_PATH } from '../../discovery/documents/document.ts';
import { queryOf } from '../../rest/negotiation.ts';
import { jsonResponse } from '../../rest/response.ts';
import { askBrand } from '../../tools/ask-brand.ts';
import { asServiceError } from '../../tools/errors.ts';
import { faultLine } from '../../tools/faults.ts';
import { RPC } from '../../tools/protocol.ts';
import type { Backend } from '../../tools/tool.ts';
import { asRpcError, invalidParams, type Message, RpcError } from './messages.ts';
import { accepted, type RpcEndpoint, receiveRpc, rpcRenderer } from './rpc.ts';

/** A2A 1.0 over JSON-RPC (specification, section 9), read-only: a question in, the body of /ask out. */
export function mountA2a(app: H3, backend: Backend): void {
  const endpoint: RpcEndpoint = {
    bucket: 'a2a',
    asError: asA2aError,
    answer: (message, event) => answer(message, event, backend),
  };
  const meta = { bucket: 'a2a', renderError: rpcRenderer(asA2aError) } as const;
  app.post(A2A_PATH, event => receiveRpc(event, endpoint), { meta });
}

async function answer(message: Message, event: H3Event, backend: Backend): Promise<HTTPResponse> {
  if (message.id === undefined) return accepted();
  // Header or query parameter. Without either it is a client of 0.3 (section 3.6).
  const version = event.req.headers.get('a2a-version') ?? queryOf(event).get('A2A-Version') ?? '';
  if (version.split('.').slice(0, 2).join('.') !== A2A_VERSION) throw protocolError('VERSION_NOT_SUPPORTED');
  const result = await resultOf(message, event, backend);
  return jsonResponse(200, JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
}

/** Errors of A2A 1.0 (section 5.4) with the operations (5.3) that get them. This server has no tasks. */
const REFUSALS = {
  TASK_NOT_FOUND: [-32001, 'No such task: every message is answered at once.', /^(Get|Cancel)Task$/],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, 'This agent sends no push notifications.', /PushNotification/],
  UNSUPPORTED_OPERATION: [
    -32004,
    'This agent neither streams nor has a second card.',
    /Stream|Subscribe|Card$/,
  ],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, 'Send the question as text parts.', undefined],
  VERSION_NOT_SUPPORTED: [-32009, `Send the header A2A-Version: ${A2A_VERSION}.`, undefined],
} as const;

const isReason = (name: string): name is keyof typeof REFUSALS => Object.hasOwn(REFUSALS, name);

/** The members of SendMessageRequest that are read. Others have no effect. */
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
  configuration: z.looseObject({}).optional(),
});

const QUESTION = askBrand();

/** Answers one operation. @throws RpcError; ServiceError if the question is refused */
async function resultOf({ method, params }: Message, event: H3Event, backend: Backend): Promise<object> {
  if (method === 'ListTasks') return { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
  const refusal = Object.keys(REFUSALS)
    .filter(isReason)
    .find(reason => REFUSALS[reason][2]?.test(method));
  if (refusal !== undefined) throw protocolError(refusal);
  if (method !== 'SendMessage')
    throw new RpcError(RPC.methodNotFound, 'Method not found. Ask with SendMessage.');
  const { success, data: request, error } = SendMessage.safeParse(params);
  if (!success) throw invalidParams(`${error.issues[0]?.path.join('.') || 'params'} does not fit A2A 1.0`);
  const { message, configuration } = request;
  const { contextId, taskId, parts } = message;
  if (taskId) throw protocolError('TASK_NOT_FOUND');
  if (configuration?.taskPushNotificationConfig) throw protocolError('PUSH_NOTIFICATION_NOT_SUPPORTED');
  if (parts.some(({ text }) => text === undefined)) throw protocolError('CONTENT_TYPE_NOT_SUPPORTED');
  const query = parts.map(({ text }) => text).join('\n');
  const toolContext = { origin: { channel: 'a2a', ...event.context.caller }, ...backend } as const;
  const data = QUESTION.body(await QUESTION.call({ query }, toolContext, () => {}));
  const part = { data, mediaType: 'application/json' };
  return { message: { messageId: randomUUID(), contextId, role: 'ROLE_AGENT', parts: [part] } };
}

/** The `data` of an error (section 9.5). */
const errorInfo = (reason: string, domain: string) => [
  { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain, metadata: {} },
];

function protocolError(reason: keyof typeof REFUSALS): RpcError {
  const [code, message] = REFUSALS[reason];
  return new RpcError(code, message, { data: errorInfo(reason, 'a2a-protocol.org') });
}

/** Makes an RpcError. A refusal of the tool has HTTP status 200; other errors have the status of /mcp. */
function asA2aError(fault: unknown): RpcError {
  if (fault instanceof RpcError) return fault;
  const { code: reason, message, hint, details } = asServiceError(fault);
  const { code, status } = asRpcError(fault);
  const keepsStatus = code === RPC.rateLimited || code === RPC.invalidRequest;
  const data = errorInfo(reason.toUpperCase(), 'aval');
  const text = `${message} ${details.issues?.map(faultLine).join('; ') ?? hint}`;
  return new RpcError(code, text, { status: keepsStatus ? status : 200, data });
}
