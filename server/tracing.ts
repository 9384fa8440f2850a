import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Attributes, Context, Span } from '@opentelemetry/api';
import { SERVICE } from '../tools/service-facts.ts';
import type { ServedBrand } from './brand/served-brand.ts';
import type { Config } from './config/config.ts';
import type { Log } from './config/log.ts';
import { createNetworkOf } from './connections/client-key.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Outbox } from './outbox/outbox.ts';

/** Spans of what takes time, with nothing personal in them. This is what each part is without a collector: nothing. */
const OFF = {
  /** Adds the trace to the lines of a request, whose span takes its name and attributes from them. */
  log: (log: Log): Log => log,
  around: (_request: IncomingMessage, answer: () => unknown): unknown => answer(),
  brand: (brand: ServedBrand): ServedBrand => brand,
  outbox: (outbox: Outbox): Outbox => outbox,
  mailer: (mailer: Mailer): Mailer => mailer,
  /** Sends what has not been sent. */
  close: async (): Promise<void> => {},
};

export type Tracing = Readonly<typeof OFF>;

/** Install this beside Aval to get traces. OpenTelemetry's API is a dependency already. */
const PACKAGES = ['resources', 'sdk-trace-node', 'exporter-trace-otlp-http'].map(name => `@opentelemetry/${name}`);

/** Traces where the configuration names a collector. Sampling, headers and names are the packages' own OTEL_ variables. */
export async function createTracing({ traces, proxies }: Config, log: Log): Promise<Tracing> {
  const { endpoint, tracesEndpoint = endpoint && `${endpoint.replace(/\/$/, '')}/v1/traces` } = traces;
  if (tracesEndpoint === undefined) return OFF;
  const packages = await load().catch(cause => {
    const { devDependencies } = createRequire(import.meta.url)('#package/package.json');
    const fix = `npm install ${PACKAGES.map(name => `${name}@${devDependencies[name]}`).join(' ')}`;
    log('warn', 'tracing', { fault: 'a package of OpenTelemetry is missing: no traces', fix, cause: cause.code });
  });
  return packages ? tracingWith(packages, tracesEndpoint, createNetworkOf(proxies)) : OFF;
}

async function load() {
  return {
    ...(await import('@opentelemetry/api')),
    ...(await import('@opentelemetry/resources')),
    ...(await import('@opentelemetry/sdk-trace-node')),
    ...(await import('@opentelemetry/exporter-trace-otlp-http')),
  };
}

type Packages = Awaited<ReturnType<typeof load>>;

function tracingWith(otel: Packages, url: string, networkOf: ReturnType<typeof createNetworkOf>): Tracing {
  const { context, propagation, SpanKind, SpanStatusCode, trace } = otel;
  const named = otel.resourceFromAttributes({ 'service.name': SERVICE.name, 'service.version': SERVICE.version });
  const provider = new otel.NodeTracerProvider({
    resource: named.merge(otel.detectResources({ detectors: [otel.envDetector] })),
    spanProcessors: [new otel.BatchSpanProcessor(new otel.OTLPTraceExporter({ url }))],
  });
  // Where the program that Aval is a part of traces already, its own provider stays.
  provider.register();
  const tracer = trace.getTracer(SERVICE.name, SERVICE.version);

  async function traced<Result>(name: string, act: (span: Span) => Promise<Result>, parent?: Context): Promise<Result> {
    const kind = parent ? SpanKind.SERVER : SpanKind.INTERNAL;
    return tracer.startActiveSpan(name, { kind }, parent ?? context.active(), async span => {
      try {
        return await act(span);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    });
  }

  return {
    log: log => (level, event, fields) => {
      const span = trace.getActiveSpan();
      if (span) span.setAttributes(ATTRIBUTES[event]?.(fields ?? {}) ?? {});
      if (span && event === 'request') span.updateName(`${fields?.method} ${fields?.route}`);
      log(level, event, span ? { ...fields, trace: span.spanContext().traceId } : fields);
    },
    around(request, answer) {
      // Ignore trace headers from untrusted clients: they could join all requests to one trace, or ask to keep every trace.
      const isProxy = networkOf(request.socket.remoteAddress) === undefined;
      const parent = isProxy ? propagation.extract(context.active(), request.headers) : context.active();
      return traced('request', async () => answer(), parent);
    },
    brand: brand => ({
      ...brand,
      ask: (query, asker) =>
        traced('ask', async span => {
          const answer = await brand.ask(query, asker);
          const { length, 0: best } = answer.matches;
          span.setAttributes({ 'aval.matches': length, 'aval.similarity': best?.similarity ?? 0 });
          return answer;
        }),
    }),
    outbox: outbox => ({ ...outbox, deliver: submission => traced('submission', () => outbox.deliver(submission)) }),
    mailer: mailer => ({
      name: mailer.name,
      send: mail => traced('mail', () => mailer.send(mail)),
      verify: () => mailer.verify(),
    }),
    close: () => provider.shutdown().catch(() => {}),
  };
}

/** Attributes of the span, from the log line of its request (OpenTelemetry, Semantic Conventions for HTTP). */
const ATTRIBUTES: Readonly<Record<string, (fields: Readonly<Record<string, unknown>>) => Attributes>> = {
  request: ({ id, method, route, status, code }) => ({
    'http.request.method': String(method),
    'http.route': String(route),
    'http.response.status_code': Number(status),
    ...(code !== undefined && { 'error.type': String(code) }),
    'aval.request_id': String(id),
  }),
  submission: ({ reference, kind, outcome }) => ({
    'aval.reference': String(reference),
    'aval.kind': String(kind),
    'aval.outcome': String(outcome),
  }),
};
