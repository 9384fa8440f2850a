import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { distinctQuestions } from '../questions.ts';

/** One request of a visitor. */
interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** What came of it. */
interface Answered {
  /** 0: none came. */
  readonly status: number;
  /** Of a POST. */
  readonly text: string;
}

/** What a visitor does next: a share of all requests, and the request itself. */
interface Step {
  readonly name: string;
  readonly share: number;
  readonly make: (n: number) => Sent;
}

/** The answer to request `n` of a crowd. */
export interface Visit extends Answered {
  readonly step: string;
  readonly n: number;
  readonly ms: number;
}

interface Crowd {
  readonly port: number;
  readonly clients: number;
  /** On the clock of `performance.now()`. */
  readonly untilMs: number;
  readonly onVisit: (visit: Visit) => void;
}

const questions = distinctQuestions(20_000);
const question = (n: number) => questions[n % questions.length] ?? '';

const DOCUMENTS = ['/', '/llms.txt', '/openapi.json', '/.well-known/brand.json', '/docs'];

/** Requests by the name of their step; `n` tells one from another. */
export const REQUESTS = {
  '/ask': n => ({ method: 'GET', path: `/ask?q=${encodeURIComponent(question(n))}` }),
  'tools/call': n => call(n, 'ask_brand', { query: question(n) }),
  documents: n => ({ method: 'GET', path: DOCUMENTS[n % DOCUMENTS.length] ?? '/' }),
  forms: n => ({ method: 'POST', path: '/api/v1/contact', body: application(n) }),
  actions: n => call(n, 'request_diagnostic', application(n)),
} as const satisfies Record<string, (n: number) => Sent>;

const STEPS: readonly Step[] = [
  { name: '/ask', share: 0.55, make: REQUESTS['/ask'] },
  { name: 'tools/call', share: 0.2, make: REQUESTS['tools/call'] },
  { name: 'documents', share: 0.23, make: REQUESTS.documents },
  { name: 'forms', share: 0.02, make: REQUESTS.forms },
];

function call(id: number, name: string, args: object): Sent {
  const body = { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
  return { method: 'POST', path: '/mcp', body };
}

function application(n: number): object {
  return {
    name: `Visitor ${n}`,
    email: `visitor-${n}@load.example`,
    company: 'Load',
    role: 'Tester',
    country: 'ES',
    context: `Sent by the crowd as number ${n}.`,
  };
}

/** Numbers of the requests sent by this process, in all crowds. */
let sent = 0;
export const nextNumber = () => ++sent;

/** An address of the loopback network for each client (127.0.0.0/8 is all ours). */
export function addressOf(index: number, net: number): string {
  return `127.${net}.${Math.floor(index / 250)}.${(index % 250) + 1}`;
}

/** Visitors with an address and a connection of their own, who do something every two seconds each. */
export async function visit({ port, clients, untilMs, onVisit }: Crowd): Promise<void> {
  const visitor = async (localAddress: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
    await setTimeout(Math.random() * 2000);
    while (performance.now() < untilMs) {
      const [step, n, begun] = [stepAt(Math.random()), nextNumber(), performance.now()];
      const answered = await send({ port, agent }, step.make(n));
      onVisit({ ...answered, step: step.name, n, ms: performance.now() - begun });
      await setTimeout(1500 + Math.random() * 1000);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => visitor(addressOf(index, 1))));
}

/** The shares laid end to end. */
function stepAt(point: number): Step {
  let end = 0;
  for (const step of STEPS) {
    end += step.share;
    if (point < end) return step;
  }
  return STEPS[0]!;
}

/** Of statuses, all but 200; 0 where no answer came. */
export const failuresOf = (statuses: readonly number[]): number[] =>
  statuses.filter(status => status !== 200);

export const perSecond = ({ length }: readonly unknown[], sinceMs: number): number =>
  Math.round((1000 * length) / (performance.now() - sinceMs));

/** Acts so often, whatever became of the time before. @returns what ends it, once all that began is done */
export function everySecond(times: number, act: () => Promise<void>): () => Promise<unknown> {
  const underWay: Promise<void>[] = [];
  const timer = setInterval(() => underWay.push(act()), 1000 / times);
  return () => {
    clearInterval(timer);
    return Promise.all(underWay);
  };
}

/** Sends a request, and waits at most 20 seconds for its answer. */
export function send(from: RequestOptions, { method, path, body }: Sent): Promise<Answered> {
  return new Promise(resolve => {
    const none = () => resolve({ status: 0, text: '' });
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
    const outgoing = request(
      { host: '127.0.0.1', ...from, method, path, headers },
      (answer: IncomingMessage) => {
        const { statusCode: status = 0 } = answer;
        if (method === 'POST') return void text(answer).then(said => resolve({ status, text: said }), none);
        answer.resume().once('error', none);
        answer.once('end', () => resolve({ status, text: '' }));
      },
    );
    outgoing.setTimeout(20_000, () => outgoing.destroy(new Error('no answer'))).once('error', none);
    outgoing.end(body && JSON.stringify(body));
  });
}
