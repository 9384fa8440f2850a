import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createReceiver } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { context, propagation, trace } from '@opentelemetry/api';
import { createServer, type Settings } from '../server/library/index.ts';
import { temporaryFolder } from './folder.ts';
import { DIAGNOSTIC } from './submission-support.ts';
import { type LogLine, post, TABLE_ALONE } from './support.ts';

const PARENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const TRACEPARENT = `00-${PARENT.traceId}-${PARENT.spanId}-01`;

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
type Sent = any;

/** A collector, as OTLP over HTTP has it: what comes is kept. */
async function startCollector(t: TestContext) {
  const bodies: Sent[] = [];
  const receiver = createReceiver(async (request, response) => {
    assert.deepEqual([request.method, request.url], ['POST', '/v1/traces']);
    bodies.push(await json(request));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  t.after(() => receiver.close());
  return {
    url: `http://127.0.0.1:${Object(receiver.address()).port}`,
    bodies,
    /** The spans by their name. */
    spans: () => {
      const all = bodies.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }: Sent) => scopeSpans.flatMap(({ spans }: Sent) => spans)),
      );
      return new Map<string, Sent>(all.map(span => [span.name, { ...span, attributes: attributesOf(span) }]));
    },
  };
}

const attributesOf = ({ attributes }: Sent) =>
  Object.fromEntries(attributes.map(({ key, value }: Sent) => [key, Object.values(value)[0]]));

/** Asks and submits once, with the traceparent of somebody in front; everything is sent when it resolves. */
async function traced(t: TestContext, settings: Settings) {
  const collector = await startCollector(t);
  const folder = temporaryFolder();
  const lines: LogLine[] = [];
  const log = (level: string, event: string, fields = {}) => lines.push({ level, event, ...fields });
  const own = { BASE_URL: 'http://127.0.0.1', PORT: '0', DATA_DIR: folder, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const aval = await createServer({ ...TABLE_ALONE, ...own, ...settings }, { log });
  const url = await aval.start();
  await (await fetch(`${url}/ask?q=precio`, { headers: { traceparent: TRACEPARENT } })).text();
  await (await post(`${url}/api/v1/contact`, DIAGNOSTIC)).text();
  await aval.close();
  for (const api of [trace, context, propagation]) api.disable();
  return { ...collector, lines };
}

describe('with a collector of OpenTelemetry', { timeout: 30_000 }, () => {
  it('sends a span for a request, its answer, a submission and its mail, each part of the one around it', async t => {
    const { spans, bodies, lines } = await traced(t, { TRUSTED_PROXIES: '127.0.0.1/32' });
    const request = spans().get('GET /ask');
    assert.deepEqual([request.traceId, request.parentSpanId], [PARENT.traceId, PARENT.spanId]);
    const { 'aval.request_id': id, ...said } = request.attributes;
    assert.deepEqual(said, { 'http.request.method': 'GET', 'http.route': '/ask', 'http.response.status_code': 200 });
    const line = lines.find(({ event }) => event === 'request');
    assert.deepEqual([line?.id, line?.trace], [id, PARENT.traceId]);

    const ask = spans().get('ask');
    assert.equal(ask.parentSpanId, request.spanId);
    assert.ok(ask.attributes['aval.matches'] > 0);

    const [form, submission, mail] = ['POST /api/v1/contact', 'submission', 'mail'].map(name => spans().get(name));
    assert.equal(submission.parentSpanId, form.spanId);
    assert.equal(mail.traceId, form.traceId);
    assert.match(submission.attributes['aval.reference'], /^[A-Z]{4}-\d{4}$/);
    assert.equal(submission.attributes['aval.outcome'], 'delivered');

    const resource = attributesOf(bodies[0].resourceSpans[0].resource);
    assert.equal(resource['service.name'], 'aval');
    assert.doesNotMatch(JSON.stringify(bodies), /precio|Ana|conservas/i);
  });

  it('begins a trace of its own where a stranger names one', async t => {
    const { spans } = await traced(t, {});
    const request = spans().get('GET /ask');
    assert.notEqual(request.traceId, PARENT.traceId);
    assert.ok(!request.parentSpanId);
  });
});
