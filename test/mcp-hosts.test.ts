// contract: 5.1, 5.5
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { request } from './mcp-messages.ts';
import { mirrors, modern } from './mcp-modern-messages.ts';
import { exchange, startApp } from './support.ts';

const MANY = { LIMIT_DEFAULT: '100000/60' };

const BOTH = 'application/json, text/event-stream';
const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } };
const notification = (method: string, params?: object) => ({ jsonrpc: '2.0', method, ...(params && { params }) });

/** One request of a host as method, body and headers; then the status of its answer and a part of it. */
type Step = readonly [
  send: [method: string, body: unknown, headers: Record<string, string>],
  status: number,
  part: RegExp,
];

const post = (body: unknown, headers: Record<string, string> = {}): Step[0] => [
  'POST',
  body,
  { accept: BOTH, ...headers },
];
const get = (headers: Record<string, string>): Step[0] => ['GET', undefined, headers];

/** What hosts are known to send when they connect; each conversation on one connection, in this order. */
const HOSTS: Readonly<Record<string, readonly Step[]>> = {
  'Claude: the handshake in a newer version, then lists of what this server has not': [
    [post(request('initialize', CLIENT)), 200, /"protocolVersion":"2025-06-18"/],
    [post(notification('notifications/initialized'), { 'mcp-protocol-version': '2025-06-18' }), 202, /^$/],
    [get({ accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' }), 405, /event stream/],
    [post(request('tools/list'), { 'mcp-protocol-version': '2025-06-18' }), 200, /"ask_brand"/],
    [post(request('prompts/list'), { 'mcp-protocol-version': '2025-06-18' }), 200, /-32601/],
    [post(request('resources/templates/list'), { 'mcp-protocol-version': '2025-06-18' }), 200, /-32601/],
  ],
  'a client of both revisions: server/discover first': [
    [
      post(modern('server/discover'), mirrors(modern('server/discover'))),
      200,
      /"supportedVersions":\["2026-07-28","2025-06-18"\]/,
    ],
    [post(modern('tools/list'), mirrors(modern('tools/list'))), 200, /"resultType":"complete"/],
  ],
  'a probe without an envelope, then the handshake': [
    [post(request('server/discover')), 200, /-32601/],
    [post(request('initialize', CLIENT)), 200, /"serverInfo"/],
  ],
  'Cursor: a GET that must be 405 with Allow, then POST': [
    [get({ accept: 'text/event-stream' }), 405, /allow: POST, OPTIONS/i],
    [get({ accept: BOTH }), 405, /allow: POST, OPTIONS/i],
    [post(request('initialize', CLIENT)), 200, /"serverInfo"/],
  ],
  'Gemini CLI, the Java SDK, Open WebUI, curl: narrow, wide or no Accept': [
    [['POST', request('ping'), { accept: 'application/json' }], 200, /"result":\{\}/],
    [['POST', request('ping'), { accept: '*/*' }], 200, /"result":\{\}/],
    [['POST', request('ping'), {}], 200, /"result":\{\}/],
    [['POST', request('ping'), { accept: 'text/event-stream;q=0.9, application/json' }], 200, /"result":\{\}/],
    [
      ['POST', request('ping'), { accept: BOTH, 'content-type': 'application/json; charset=utf-8' }],
      200,
      /"result":\{\}/,
    ],
  ],
  'a browser or a monitor that opens the address': [
    [get({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }), 200, /"name":"aval"/],
    [get({}), 200, /"limits"/],
    [['HEAD', undefined, {}], 200, /^$/],
    [
      ['OPTIONS', undefined, { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' }],
      204,
      /mcp-name/i,
    ],
  ],
  'hosts that keep a session: the id is ignored, no stream resumes, DELETE is 405': [
    [post(request('ping'), { 'mcp-session-id': '6f1c' }), 200, /"result":\{\}/],
    [get({ accept: 'text/event-stream', 'last-event-id': '7', 'mcp-session-id': '6f1c' }), 405, /event stream/],
    [['DELETE', undefined, { 'mcp-session-id': '6f1c' }], 405, /allow: GET, HEAD, POST, OPTIONS/i],
  ],
  'a user who stops waiting, and progress nobody will send': [
    [post(notification('notifications/cancelled', { requestId: 7, reason: 'user' })), 202, /^$/],
    [post(notification('notifications/roots/list_changed')), 202, /^$/],
    [
      post(request('tools/call', { name: 'ask_brand', arguments: { query: 'precio' }, _meta: { progressToken: 1 } })),
      200,
      /"structuredContent"/,
    ],
  ],
  'clients of 2025-03-26: a batch is refused, its requests one by one are not': [
    [post([request('initialize', CLIENT), request('tools/list')]), 400, /-32600/],
    [post(request('initialize', { ...CLIENT, protocolVersion: '2025-03-26' })), 200, /"protocolVersion":"2025-06-18"/],
  ],
  'clients of HTTP+SSE from 2024: the stream and the messages path are told where to go': [
    [get({ accept: 'text/event-stream', 'cache-control': 'no-store' }), 405, /Send JSON-RPC requests with POST/],
  ],
};

describe('hosts that connect to /mcp', () => {
  for (const [host, steps] of Object.entries(HOSTS)) {
    it(`are served: ${host}`, async t => {
      const { url } = await startApp(t, { env: MANY });
      const last = steps.length - 1;
      const raw = steps.map(([send], index) => bytesOf(url, send, index === last));
      const answers = parseAnswers(await exchange(url, raw), steps);
      for (const [index, [send, status, part]] of steps.entries()) {
        const { statusLine, head, body } = answers[index] ?? assert.fail(`no answer to ${send[0]}`);
        assert.equal(Number(statusLine.split(' ')[1]), status, body);
        assert.match(part.source === '^$' ? body : head + body, part);
        assert.doesNotMatch(head, /mcp-session-id:/i);
      }
    });
  }
});

function bytesOf(url: string, [method, body, headers]: Step[0], isLast: boolean): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const fields = {
    host: new URL(url).host,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...headers,
    ...(isLast && { connection: 'close' }),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /mcp HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}

/** Cuts what came back over one connection into its answers. */
function parseAnswers(received: string, steps: readonly Step[]) {
  const answers = [];
  let rest = received;
  for (const [[method]] of steps) {
    const end = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, end);
    const length = method === 'HEAD' ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    answers.push({ statusLine: head.split('\r\n', 1)[0] ?? '', head, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
