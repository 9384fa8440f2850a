import type { Child } from '../child.ts';
import { get, post } from '../load/load.ts';
import { distinctQuestions } from '../questions.ts';
import type { MeasuredCase } from '../rounds.ts';

/** What is measured. */
export interface Case extends MeasuredCase {
  readonly name: string;
  /** Name of the case whose throughput it is compared with. */
  readonly against?: string;
}

export interface Servers {
  readonly aval: Child;
  readonly echo: Child;
  readonly sdk: Child;
  /** Another checkout. */
  readonly other?: Child;
}

export function cases({ aval, echo, sdk, other }: Servers): Case[] {
  const distinct = distinctQuestions(20_000);
  const repeated = distinct.slice(0, 50);
  return [
    { name: 'echo, GET', child: echo, requests: repeated.map(query => askByGet(query, '/echo')) },
    { name: 'echo, POST', child: echo, requests: repeated.map(query => post('/echo', { query })) },
    { name: 'ready answer, GET', child: echo, requests: repeated.map(query => askByGet(query, '/answer')) },
    { name: 'ready answer, POST', child: echo, requests: repeated.map(query => post('/answer', { query })) },
    ...bothKinds(
      'GET /ask',
      aval,
      query => askByGet(query),
      () => 'ready answer, GET',
    ),
    ...bothKinds(
      'POST /ask',
      aval,
      query => post('/ask', { query }),
      () => 'ready answer, POST',
    ),
    ...bothKinds('SDK v1, a server a request: tools/call', sdk, call),
    ...bothKinds('tools/call', aval, call, kind => `SDK v1, a server a request: tools/call, ${kind}`),
    ...(other
      ? [
          ...bothKinds(
            'other checkout: GET /ask',
            other,
            query => askByGet(query),
            kind => `GET /ask, ${kind}`,
          ),
          ...bothKinds('other checkout: tools/call', other, call, kind => `tools/call, ${kind}`),
        ]
      : []),
  ];

  function bothKinds(
    name: string,
    child: Child,
    request: (query: string) => Buffer,
    against?: (kind: string) => string,
  ): Case[] {
    return Object.entries({ distinct, repeated }).map(([kind, queries]) => ({
      name: `${name}, ${kind}`,
      child,
      requests: queries.map(request),
      ...(against && { against: against(kind) }),
    }));
  }
}

export function askByGet(query: string, path = '/ask'): Buffer {
  return get(`${path}?q=${encodeURIComponent(query)}`);
}

export function call(query: string): Buffer {
  const params = { name: 'ask_brand', arguments: { query } };
  return post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}
