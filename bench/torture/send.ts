import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** One request of a visitor. */
export interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: object | string | undefined;
}

interface Answered {
  /** 0: none came. */
  readonly status: number;
  readonly text: string;
}

let lastNumber = 0;

/** A valid form that no other request of this process repeats. */
export function form(): Sent {
  lastNumber += 1;
  const body = {
    name: `Visitor ${lastNumber}`,
    email: `visitor-${lastNumber}@load.example`,
    company: 'Load',
    role: 'Tester',
    country: 'ES',
    context: `Sent under load as number ${lastNumber}.`,
  };
  return { method: 'POST', path: '/api/v1/contact', body };
}

export const ask = (query: string): Sent => ({ method: 'GET', path: `/ask?q=${encodeURIComponent(query)}` });

/** An address of the loopback network for each client: all of 127.0.0.0/8 is this machine. */
export function addressOf(index: number, network: number): string {
  return `127.${network}.${Math.floor(index / 250) % 250}.${(index % 250) + 1}`;
}

/** Sends a request, and waits at most 20 seconds for its answer. */
export function send(from: RequestOptions, { method, path, body }: Sent): Promise<Answered> {
  return new Promise(resolve => {
    const none = () => resolve({ status: 0, text: '' });
    const headers = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const outgoing = request(
      { host: '127.0.0.1', ...from, method, path, headers },
      (answer: IncomingMessage) => {
        const { statusCode: status = 0 } = answer;
        text(answer).then(body => resolve({ status, text: body }), none);
      },
    );
    outgoing.setTimeout(20_000, () => outgoing.destroy(new Error('no answer'))).once('error', none);
    outgoing.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}
