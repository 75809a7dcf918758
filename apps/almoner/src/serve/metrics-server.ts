import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { METRICS_PATH } from '@almoner/adapters-http'
import * as O from 'fp-ts/lib/Option.js'
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

/** Serves the figures, and nothing else. It does not listen yet. */
const metricsServer = ({ contentType, read }: FiguresSource): Server =>
  // Not imported by name, as in adapters-http/src/server/methods.ts.
  process.getBuiltinModule('node:http').createServer(async (request, response) => {
    const known =
      request.url?.split('?')[0] === METRICS_PATH && ['GET', 'HEAD'].includes(request.method ?? '')
    const body = known ? await read() : ''
    response.writeHead(known ? 200 : 404, known ? { 'Content-Type': contentType } : {})
    response.end(body)
  })

/** Listens for those who want figures, where they have a port of their own. Rejects when it cannot. */
export const startMetrics = async (
  place: Settings['metrics'],
  figures: FiguresSource,
): Promise<O.Option<MetricsApart>> => {
  if (place.kind !== 'apart') return O.none
  const server = metricsServer(figures)
  await once(server.listen({ host: place.host, port: place.port }), 'listening')
  const { port } = server.address() as AddressInfo
  return O.some({ url: urlOf({ host: place.host, port }), close: () => void server.close() })
}
