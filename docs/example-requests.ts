import { exampleArguments } from '../discovery/documents/markdown.ts';
import { ROUTES, STATUS_PATH } from '../rest/routes.ts';
import type { Presentation } from '../tools/presentation.ts';
import { SERVICE } from '../tools/service.ts';
import type { Tool } from '../tools/tool.ts';

/** What is sent so that openapi.json can show what comes back. */
export interface ExampleRequest {
  /** `METHOD /path`, as openapi.json describes it. */
  readonly operation: string;
  readonly name: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** What the server lacks at that time. */
  readonly without?: 'brand' | 'mail' | 'slots';
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const HTML = { accept: 'text/html' };
const FOREIGN = { origin: 'https://other.example' };

/** Every kind of answer of every operation, once. Those that use up a limit stand last. */
export function exampleRequests(presentation: Presentation): ExampleRequest[] {
  const requests = [
    ...ROUTES.flatMap(route => routeRequests(route, presentation)),
    ...statusRequests(),
    ...mcpRequests(presentation),
  ];
  const isLast = ({ without }: ExampleRequest) => Number(without === 'slots');
  return requests.sort((a, b) => isLast(a) - isLast(b));
}

type Route = (typeof ROUTES)[number];

function routeRequests(route: Route, presentation: Presentation): ExampleRequest[] {
  const example = exampleArguments(route.tool.describe(presentation));
  const { input } = route;
  const rows = input.from === 'query' ? queryRequests(input.parameters, example) : bodyRequests(route, example);
  return rows.map(row => ({ operation: `${route.method} ${route.path}`, ...row }));
}

type Row = Omit<ExampleRequest, 'operation'>;

type Example = ReturnType<typeof exampleArguments>;

function queryRequests(parameters: Readonly<Record<string, string>>, example: Example): Row[] {
  const [[parameter, argument] = ['', '']] = Object.entries(parameters);
  const query = (value: string) => `?${parameter}=${value}`;
  const question = query(encodeURIComponent(String(example[argument])));
  return [
    { name: 'ok', query: question },
    { name: 'missing_query' },
    { name: 'validation_error', query: query('x'.repeat(2001)) },
    { name: 'invalid_request', query: query('%E1%20') },
    { name: 'headers_too_large', query: query('x'.repeat(64 * 1024)) },
    { name: 'not_configured', query: question, without: 'brand' },
    { name: 'rate_limited', query: question, without: 'slots' },
  ];
}

function askTool(): Tool {
  const route = ROUTES.find(({ input }) => input.from === 'query');
  if (!route) throw new Error('no route reads the query string');
  return route.tool;
}

function bodyRequests({ tool, input, readableFrom }: Route, example: Example): Row[] {
  const body = JSON.stringify(example);
  const form = Object.entries(example)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
  const isAsk = tool === askTool();
  const hasForm = input.from === 'body' && input.forms.length > 0;
  const wrong = JSON.stringify({ ...example, email: 'ana', extra: '' });
  return [
    { name: 'ok', headers: JSON_TYPE, body },
    ...(hasForm ? [{ name: 'thanks_page', headers: { ...FORM_TYPE, ...HTML }, body: form }] : []),
    ...(isAsk ? [{ name: 'missing_query', headers: JSON_TYPE, body: '{}' }] : []),
    { name: 'validation_error', headers: JSON_TYPE, body: isAsk ? '{"query":7}' : wrong },
    { name: 'invalid_request', headers: JSON_TYPE, body: body.slice(0, -1) },
    ...(hasForm ? [{ name: 'refusal_page', headers: { ...FORM_TYPE, ...HTML }, body: 'name=Ana' }] : []),
    ...(readableFrom === 'listed' ? [{ name: 'cross_site', headers: { ...JSON_TYPE, ...FOREIGN }, body }] : []),
    { name: 'too_large', headers: JSON_TYPE, body: ' '.repeat(128 * 1024) },
    isAsk
      ? { name: 'not_configured', headers: JSON_TYPE, body, without: 'brand' }
      : { name: 'delivery_failed', headers: JSON_TYPE, body, without: 'mail' },
    { name: 'rate_limited', headers: JSON_TYPE, body, without: 'slots' },
  ];
}

function statusRequests(): ExampleRequest[] {
  const operation = `GET ${STATUS_PATH}`;
  return [
    { operation, name: 'ok' },
    { operation, name: 'rate_limited', without: 'slots' },
  ];
}

function mcpRequests(presentation: Presentation): ExampleRequest[] {
  const post = (name: string, body: string, more: Partial<ExampleRequest> = {}): ExampleRequest => {
    return { operation: 'POST /mcp', name, body, ...more, headers: { ...JSON_TYPE, ...more.headers } };
  };
  const call = (method: string, params?: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const clientInfo = { name: 'example-client', version: '1.0.0' };
  const tools = [...new Set(ROUTES.map(({ tool }) => tool))];
  const calls = tools.map(tool =>
    post(tool.name, call('tools/call', { name: tool.name, arguments: exampleArguments(tool.describe(presentation)) })),
  );
  return [
    post('initialize', call('initialize', { protocolVersion: SERVICE.protocolVersion, capabilities: {}, clientInfo })),
    post('initialized', '{"jsonrpc":"2.0","method":"notifications/initialized"}'),
    post('ping', call('ping')),
    post('discover', stateless('server/discover'), mirrored('server/discover')),
    ...calls,
    post('tool_failed', call('tools/call', { name: tools[0]?.name, arguments: {} })),
    post('method_not_found', call('resources/list')),
    post('stateless_method_not_found', stateless('resources/list'), mirrored('resources/list')),
    post('invalid_params', call('tools/call', { name: 'no_such_tool' })),
    post('parse_error', '{"jsonrpc":'),
    post('invalid_request', '{"jsonrpc":"1.0","id":1,"method":"ping"}'),
    post('foreign_origin', call('ping'), { headers: FOREIGN }),
    post('too_large', ' '.repeat(128 * 1024)),
    post('rate_limited', call('ping'), { without: 'slots' }),
    { operation: 'GET /mcp', name: 'ok' },
    { operation: 'GET /mcp', name: 'no_event_stream', headers: { accept: 'text/event-stream' } },
    { operation: 'GET /mcp', name: 'foreign_origin', headers: FOREIGN },
    { operation: 'GET /mcp', name: 'rate_limited', without: 'slots' },
  ];
}

/** A request of the revision without `initialize`: it says itself which one it is, and its headers repeat it. */
function stateless(method: string): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': SERVICE.statelessProtocolVersion,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta } });
}

const mirrored = (method: string): Pick<ExampleRequest, 'headers'> => ({
  headers: { 'mcp-protocol-version': SERVICE.statelessProtocolVersion, 'mcp-method': method },
});
