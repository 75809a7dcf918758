import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { METRICS_PATH, type Metrics } from '@almoner/adapters-http'
import type { Logger } from 'pino'
import type { Settings } from '../config/definitions.ts'
import { urlOf } from '../config/network.ts'

/** Reads the metrics. */
export type MetricsSource = () => Promise<Pick<Metrics['registry'], 'contentType' | 'metrics'>>

/** A separate server for metrics, and its URL. */
export interface MetricsApart {
  readonly url: string
  readonly close: () => void
}

const answer = async (
  read: MetricsSource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const isKnown =
    request.url?.split('?')[0] === METRICS_PATH && ['GET', 'HEAD'].includes(request.method ?? '')
  if (!isKnown) {
    response.writeHead(404).end()
    return
  }
  const registry = await read()
  const body = await registry.metrics()
  response.writeHead(200, { 'Content-Type': registry.contentType }).end(body)
}

/** Serves metrics and nothing else. It does not listen yet. Answers 500 and logs an error when the metrics cannot be read. */
const metricsServer = (read: MetricsSource, logger: Pick<Logger, 'error'>): Server =>
  // Not imported by name, as in adapters-http/src/server/methods.ts.
  process.getBuiltinModule('node:http').createServer((request, response) => {
    // An unhandled rejection would end the process.
    answer(read, request, response).catch((err: unknown) => {
      logger.error({ err }, 'metrics cannot be read')
      response.writeHead(500).end()
    })
  })

/** Serves metrics on a port of their own, if the settings say so. Rejects when it cannot listen. */
export const startMetrics = async (
  place: Settings['metrics'],
  read: MetricsSource,
  logger: Pick<Logger, 'error'>,
): Promise<MetricsApart | undefined> => {
  if (place.kind !== 'apart') return undefined
  const server = metricsServer(read, logger)
  await once(server.listen({ host: place.host, port: place.port }), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: urlOf({ host: place.host, port }), close: () => void server.close() }
}
