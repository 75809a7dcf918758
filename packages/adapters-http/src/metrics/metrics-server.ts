import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isIPv6 } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { targetOf } from '../request-context.ts'
import { METRICS_PATH } from '../settings.ts'
import type { Metrics } from './responses.ts'

/** Reads the metrics. */
export type MetricsSource = () => Promise<Pick<Metrics['registry'], 'contentType' | 'metrics'>>

/** A separate server for metrics, and its URL. */
export interface MetricsServer {
  readonly url: string
  /** Ends it, without waiting for open connections. */
  readonly close: () => void
}

const answer = async (
  read: MetricsSource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const isKnown =
    targetOf(request).split('?')[0] === METRICS_PATH && ['GET', 'HEAD'].includes(request.method ?? '')
  if (!isKnown) {
    response.writeHead(404).end()
    return
  }
  const registry = await read()
  const body = await registry.metrics()
  response.writeHead(200, { 'Content-Type': registry.contentType }).end(body)
}

/** Serves metrics and nothing else. It does not listen yet. Answers 500 and logs an error when the metrics cannot be read. */
const metricsServer = (read: MetricsSource, logger: Pick<FastifyBaseLogger, 'error'>): Server =>
  // An import by name would evaluate all exports of the module, some of which load undici.
  process.getBuiltinModule('node:http').createServer((request, response) => {
    // An unhandled rejection would end the process.
    answer(read, request, response).catch((err: unknown) => {
      logger.error({ err }, 'metrics cannot be read')
      response.writeHead(500).end()
    })
  })

/** Serves metrics on a port of their own, 0 for any free one. Rejects when it cannot listen. */
export const startMetricsServer = async (
  { host, port }: { readonly host: string; readonly port: number },
  read: MetricsSource,
  logger: Pick<FastifyBaseLogger, 'error'>,
): Promise<MetricsServer> => {
  const server = metricsServer(read, logger)
  await once(server.listen({ host, port }), 'listening')
  const { port: chosen } = server.address() as AddressInfo
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${chosen}`,
    close: () => void server.close(),
  }
}
