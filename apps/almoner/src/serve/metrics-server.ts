import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { METRICS_PATH } from '@almoner/adapters-http'
import * as O from 'fp-ts/lib/Option.js'
import type { Logger } from 'pino'
import type { Settings } from '../settings/definitions.ts'
import { urlOf } from '../settings/network.ts'

/** The figures as Prometheus reads them. */
export interface FiguresSource {
  readonly contentType: string
  readonly read: () => Promise<string>
}

/** A server of its own for the figures, and where it is. */
export interface MetricsApart {
  readonly url: string
  readonly close: () => void
}

const answer = async (
  figures: FiguresSource,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const known = request.url?.split('?')[0] === METRICS_PATH && ['GET', 'HEAD'].includes(request.method ?? '')
  const body = known ? await figures.read() : ''
  response.writeHead(known ? 200 : 404, known ? { 'Content-Type': figures.contentType } : {})
  response.end(body)
}

/** Serves the figures, and nothing else. It does not listen yet. Figures that cannot be read are a 500 and a line in the log. */
const metricsServer = (figures: FiguresSource, logger: Pick<Logger, 'error'>): Server =>
  // Not imported by name, as in adapters-http/src/server/methods.ts.
  process.getBuiltinModule('node:http').createServer((request, response) => {
    // An unhandled rejection would end the process.
    answer(figures, request, response).catch((err: unknown) => {
      logger.error({ err }, 'metrics cannot be read')
      response.writeHead(500).end()
    })
  })

/** Listens for those who want figures, where they have a port of their own. Rejects when it cannot. */
export const startMetrics = async (
  place: Settings['metrics'],
  figures: FiguresSource,
  logger: Pick<Logger, 'error'>,
): Promise<O.Option<MetricsApart>> => {
  if (place.kind !== 'apart') return O.none
  const server = metricsServer(figures, logger)
  await once(server.listen({ host: place.host, port: place.port }), 'listening')
  const { port } = server.address() as AddressInfo
  return O.some({ url: urlOf({ host: place.host, port }), close: () => void server.close() })
}
