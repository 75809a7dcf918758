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
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Logger } from 'pino'
import manifest from '../../package.json' with { type: 'json' }
import type { Tracing } from '../composition/tracing.ts'
import { redactSpans } from './redact-spans.ts'

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
      // What a review or the upkeep does belongs to no request.
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
