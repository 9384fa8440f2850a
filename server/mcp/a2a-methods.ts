import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { askBrand } from '../../tools/ask-brand.ts';
import { RPC } from '../../tools/protocol.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { a2aError, invalidParams } from './a2a-errors.ts';
import { RpcError } from './messages.ts';

const QUESTION = askBrand();
const ANSWER_TYPE = 'application/json';

/** The part of SendMessageRequest that is read here; whatever else it carries is allowed and of no effect. */
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

const ListTasks = z.looseObject({ pageSize: z.number().int().min(1).max(100).default(50) });

type Method = (params: unknown, context: ToolContext) => object | Promise<object>;

/** Every operation of A2A 1.0 (section 5.3): a question is answered at once, and so there is never a task. */
const METHODS: Readonly<Record<string, Method>> = {
  SendMessage: sendMessage,
  ListTasks(params) {
    const { pageSize } = parse(ListTasks, params ?? {});
    return { tasks: [], nextPageToken: '', pageSize, totalSize: 0 };
  },
  GetTask: refused('TASK_NOT_FOUND'),
  CancelTask: refused('TASK_NOT_FOUND'),
  SendStreamingMessage: refused('UNSUPPORTED_OPERATION'),
  SubscribeToTask: refused('UNSUPPORTED_OPERATION'),
  GetExtendedAgentCard: refused('UNSUPPORTED_OPERATION'),
  CreateTaskPushNotificationConfig: refused('PUSH_NOTIFICATION_NOT_SUPPORTED'),
  GetTaskPushNotificationConfig: refused('PUSH_NOTIFICATION_NOT_SUPPORTED'),
  ListTaskPushNotificationConfigs: refused('PUSH_NOTIFICATION_NOT_SUPPORTED'),
  DeleteTaskPushNotificationConfig: refused('PUSH_NOTIFICATION_NOT_SUPPORTED'),
};

/** @throws RpcError, or ServiceError where the question itself is refused */
export async function callMethod(name: string, params: unknown, context: ToolContext): Promise<object> {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (method) return method(params, context);
  throw new RpcError(RPC.methodNotFound, `Method not found. The methods are ${Object.keys(METHODS).join(', ')}.`);
}

function refused(reason: Parameters<typeof a2aError>[0]): Method {
  return () => {
    throw a2aError(reason);
  };
}

/** The words of the message are the question; the answer is the body of /ask, as JSON or as its text. */
async function sendMessage(params: unknown, context: ToolContext): Promise<object> {
  const { message, configuration } = parse(SendMessage, params);
  const { contextId, taskId, parts } = message;
  if (taskId) throw a2aError('TASK_NOT_FOUND');
  if (configuration?.taskPushNotificationConfig) throw a2aError('PUSH_NOTIFICATION_NOT_SUPPORTED');
  if (parts.some(({ text }) => text === undefined)) throw a2aError('CONTENT_TYPE_NOT_SUPPORTED');
  const query = parts.map(({ text }) => text).join('\n');
  const answer = await QUESTION.call({ query }, context, readsOnly);
  const part = answerPart(QUESTION.body(answer), configuration?.acceptedOutputModes ?? []);
  return { message: { messageId: randomUUID(), ...(contextId && { contextId }), role: 'ROLE_AGENT', parts: [part] } };
}

/** Words for a client that takes no JSON. */
function answerPart(answer: object, accepted: readonly string[]): object {
  if (accepted.length === 0 || accepted.includes(ANSWER_TYPE)) return { data: answer, mediaType: ANSWER_TYPE };
  return { text: JSON.stringify(answer), mediaType: 'text/plain' };
}

/** A question takes no slot but that of its request. */
const readsOnly = async () => async () => {};

function parse<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw invalidParams(result.error);
}
