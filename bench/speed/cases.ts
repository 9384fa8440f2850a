import type { Child } from '../child.ts';
import { get, post } from '../load/load.ts';
import { distinctQuestions } from '../questions.ts';

/** One kind of request against one server. */
export interface Case {
  readonly name: string;
  readonly child: Child;
  readonly requests: readonly Buffer[];
  /** Name of the case whose throughput it is compared with. */
  readonly against?: string;
}

interface Servers {
  /** What `npm start` runs, and the same with `ENCODER=off`. */
  readonly encoder: Child;
  readonly table: Child;
  readonly echo: Child;
  readonly sdk: Child;
}

/** Distinct questions never repeat; repeated ones come from the cache. */
export function cases({ encoder, table, echo, sdk }: Servers): Case[] {
  const distinct = distinctQuestions(20_000);
  const repeated = distinct.slice(0, 50);
  const ready = 'ready answer';
  const alone = 'table alone:';
  const usual = 'SDK v1, a server a request: tools/call, distinct';
  return [
    { name: 'echo', child: echo, requests: repeated.map(query => askByGet(query, '/echo')) },
    { name: ready, child: echo, requests: repeated.map(query => askByGet(query, '/answer')) },
    {
      name: 'GET /ask, distinct',
      child: encoder,
      requests: distinct.map(one => askByGet(one)),
      against: ready,
    },
    {
      name: 'GET /ask, repeated',
      child: encoder,
      requests: repeated.map(one => askByGet(one)),
      against: ready,
    },
    {
      name: `${alone} GET /ask, distinct`,
      child: table,
      requests: distinct.map(one => askByGet(one)),
      against: ready,
    },
    {
      name: `${alone} GET /ask, repeated`,
      child: table,
      requests: repeated.map(one => askByGet(one)),
      against: ready,
    },
    { name: usual, child: sdk, requests: distinct.map(call) },
    { name: `${alone} tools/call, distinct`, child: table, requests: distinct.map(call), against: usual },
  ];
}

function askByGet(query: string, path = '/ask'): Buffer {
  return get(`${path}?q=${encodeURIComponent(query)}`);
}

function call(query: string): Buffer {
  const params = { name: 'ask_brand', arguments: { query } };
  return post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}
