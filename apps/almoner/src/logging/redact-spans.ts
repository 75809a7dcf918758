import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base'

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
