import { createServer, type Server } from 'node:http'
import { METRICS_PATH, type Metrics } from '@almoner/adapters-http'

/** Serves the figures, and nothing else, on a port of their own. It does not listen yet. */
export const metricsServer = ({ registry }: Metrics): Server =>
  createServer(async (request, response) => {
    const known =
      request.url?.split('?')[0] === METRICS_PATH && ['GET', 'HEAD'].includes(request.method ?? '')
    const body = known ? await registry.metrics() : ''
    response.writeHead(known ? 200 : 404, known ? { 'Content-Type': registry.contentType } : {})
    response.end(body)
  })
