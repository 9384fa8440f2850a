import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ending } from './child.ts';
import { serve } from './serve.ts';

/** How the double treats one request. `accept`, `lost-answer` and `stall` take the mail; the others do not. */
export type Behaviour =
  | { readonly kind: 'accept'; readonly delayMs?: number; readonly after?: Promise<unknown> }
  | { readonly kind: 'status'; readonly status: number; readonly body?: string; readonly type?: string }
  /** The connection breaks, and the mail is not taken. */
  | { readonly kind: 'reset' }
  /** The mail is taken, then the connection breaks. */
  | { readonly kind: 'lost-answer' }
  /** The mail is taken, the answer stops half way. */
  | { readonly kind: 'stall' }
  /** Nothing ever comes back. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'broken-json' }
  | { readonly kind: 'redirect' };

export interface MailgunDouble {
  readonly url: string;
  /** Mails that were taken, as form fields. */
  readonly mails: Readonly<Record<string, string>>[];
  /** Requests so far, taken or not. */
  readonly requests: { count: number; authorization: string | undefined };
  /** Decides each request's fate; given as a list, the last one repeats. */
  behave(behaviour: readonly Behaviour[] | ((mail: Readonly<Record<string, string>>) => Behaviour)): void;
}

/** The settings of a server whose mail goes to it. */
export const mailgunSettings = ({ url }: Pick<MailgunDouble, 'url'>) => ({
  MAIL_FROM: 'Norte Claro <hola@mg.norteclaro.example>',
  MAIL_TO: 'equipo@norteclaro.example',
  MAILGUN_API_KEY: 'key-secret',
  MAILGUN_DOMAIN: 'mg.norteclaro.example',
  MAILGUN_URL: url,
});

/** Mailgun's message endpoint on a loopback port, with faults on request. @param t the test that it ends with */
export async function startMailgunDouble(t: Ending): Promise<MailgunDouble> {
  const mails: Record<string, string>[] = [];
  const requests: MailgunDouble['requests'] = { count: 0, authorization: undefined };
  let next: (mail: Readonly<Record<string, string>>) => Behaviour = () => ({ kind: 'accept' });
  const url = await serve(t, async (request, response) => {
    if (request.method === 'GET') return void response.end('{"message":"elsewhere"}');
    requests.count += 1;
    requests.authorization = request.headers.authorization;
    const mail = await readForm(request).catch(() => undefined);
    if (mail) await answer(next(mail), mail, mails, response);
  });
  return {
    url,
    mails,
    requests,
    behave(behaviour) {
      const rest = [...(typeof behaviour === 'function' ? [] : behaviour)];
      const last = rest.at(-1) ?? { kind: 'accept' };
      next = typeof behaviour === 'function' ? behaviour : () => rest.shift() ?? last;
    },
  };
}

async function answer(
  behaviour: Behaviour,
  mail: Record<string, string>,
  mails: Record<string, string>[],
  response: ServerResponse,
): Promise<void> {
  const taken = JSON.stringify({ id: `<${mails.length}@double>`, message: 'Queued. Thank you.' });
  switch (behaviour.kind) {
    case 'accept':
      if (behaviour.delayMs) await new Promise(resolve => setTimeout(resolve, behaviour.delayMs));
      await behaviour.after;
      mails.push(mail);
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(taken);
    case 'status': {
      const { status, body = '{"message":"no"}', type = 'application/json' } = behaviour;
      return void response.writeHead(status, { 'content-type': type }).end(body);
    }
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case 'lost-answer':
      mails.push(mail);
      return void response.socket?.resetAndDestroy();
    case 'stall':
      mails.push(mail);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': taken.length });
      return void response.write(taken.slice(0, 5));
    case 'broken-json':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{oops');
    case 'redirect':
      return void response.writeHead(302, { location: '/elsewhere' }).end();
  }
}

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return {};
  const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData();
  return Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
}
