import { setTimeout as wait } from 'node:timers/promises'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type { Logger } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import type { Tracing } from '../composition/server.ts'

/** What may be told of a span. All else could hold what a caller sent: addresses, headers, texts of errors. */
const ALLOWED: ReadonlySet<string> = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'db.operation.name',
])

/** A span context without the `tracestate` of the caller. */
const contextOf = <C extends { readonly traceState?: unknown }>(context: C): C => ({
  ...context,
  traceState: undefined,
})

/** A span as it is sent: what {@link ALLOWED} names, whether it failed, and nothing of why. */
const redact = (span: ReadableSpan): ReadableSpan => {
  const attributes = Object.fromEntries(Object.entries(span.attributes).filter(([name]) => ALLOWED.has(name)))
  const context = contextOf(span.spanContext())
  const over = {
    attributes,
    events: [],
    links: [],
    status: { code: span.status.code },
    spanContext: () => context,
    ...(span.parentSpanContext && { parentSpanContext: contextOf(span.parentSpanContext) }),
  }
  const properties = Object.entries(over).map(([name, value]) => [name, { value }])
  return Object.create(span, Object.fromEntries(properties))
}

/** Hands spans on without anything that a caller may not have wanted to be known. */
export const redactSpans = (next: SpanProcessor): SpanProcessor => ({
  onStart: (span, context) => next.onStart(span, context),
  onEnd: (span) => next.onEnd(redact(span)),
  forceFlush: () => next.forceFlush(),
  shutdown: () => next.shutdown(),
})

/** The forms in which traces are sent. */
export type Form = 'http/protobuf' | 'http/json'

/** Milliseconds that may be spent on sending the last spans when the process ends. */
const PATIENCE = 2000

const NAME = 'almoner'

const exporterFor = async (form: Form): Promise<SpanExporter> => {
  const { OTLPTraceExporter } =
    form === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

/** Who traces: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` come before what the program says of itself. */
const resource = () =>
  defaultResource()
    .merge(resourceFromAttributes({ 'service.name': NAME, 'service.version': manifest.version }))
    .merge(detectResources({ detectors: [envDetector] }))

/** The SDK's parts, which read the standard variables themselves. */
const provide = async (form: Form): Promise<BasicTracerProvider> => {
  const processor = new BatchSpanProcessor(await exporterFor(form))
  return new BasicTracerProvider({ resource: resource(), spanProcessors: [redactSpans(processor)] })
}

/** The last thing that can be known of what an exporter says: its text may hold an endpoint's credentials. */
const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'unknown'

/** Begins to trace: requests continue the trace of their callers (W3C Trace Context), spans go out in batches. */
export const startTracing = async (form: Form, logger: Logger): Promise<Tracing> => {
  const complain = (cause: unknown) => logger.warn({ code: codeOf(cause) }, 'traces could not be sent')
  setGlobalErrorHandler(complain)
  const provider = await provide(form)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  const tracer = provider.getTracer(NAME, manifest.version)
  const requests = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    instrumentHandler: false,
    recordExceptions: false,
    requestHook: (span, { method, routeOptions: { url } }) => {
      span.updateName(url === undefined ? method : `${method} ${url}`)
    },
  })
  requests.setTracerProvider(provider)
  return {
    watch: async (app) => {
      await app.register(requests.plugin())
    },
    database: (operation, milliseconds, failed) => {
      // What a review or maintenance does belongs to no request.
      if (trace.getActiveSpan() === undefined) return
      const now = performance.timeOrigin + performance.now()
      const span = tracer.startSpan(`database ${operation}`, {
        kind: SpanKind.CLIENT,
        startTime: now - milliseconds,
        attributes: { 'db.operation.name': operation },
      })
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(now)
    },
    close: async () => {
      const sent = provider.shutdown().catch(complain)
      await Promise.race([sent, wait(PATIENCE, undefined, { ref: false })])
    },
  }
}
