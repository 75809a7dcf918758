import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What a collector was sent. */
export interface Sent {
  readonly path: string
  readonly type: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

interface Value {
  readonly stringValue?: string
  readonly intValue?: number
}

/** A span in OTLP's JSON (opentelemetry-proto, trace/v1/trace.proto; the rules of JSON in the OTLP specification). */
export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Value }>
  readonly status: { readonly code?: number; readonly message?: string }
}

interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: SentSpan['attributes'] }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<SentSpan> }>
  }>
}

/** The attributes of a span or a resource, by name. */
export const attributesOf = ({ attributes }: Pick<SentSpan, 'attributes'>) =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue } }) => [key, stringValue ?? intValue]),
  )

/** A local OTLP receiver over HTTP, which accepts everything, or responds with a given status. */
export const startCollector = async (status = 200) => {
  const sent: Array<Sent> = []
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request
    const body = await buffer(request)
    sent.push({ path: url, type: String(headers['content-type']), headers, body })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const traces = () => sent.map(({ body }): Traces => JSON.parse(body.toString()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    /** The spans that came as JSON. */
    spans: (): ReadonlyArray<SentSpan> =>
      traces().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    resources: () =>
      traces().flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => attributesOf(resource))),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
