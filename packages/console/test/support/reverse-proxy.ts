import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The path that a proxy serves the service below, and whether it hands that path on or takes it off (M13). */
export interface BasePath {
  readonly path: string
  readonly manner: 'hands on' | 'takes off'
}

/** A reverse proxy on loopback. It answers paths outside its own with 404, and sends what the service answers piece by piece. */
export const openProxy = async ({ path: base, manner }: BasePath) => {
  const target = { port: 0 }
  const server = createServer((request, response) => {
    const { method, headers, url = '/' } = request
    if (url !== base && !url.startsWith(`${base}/`)) {
      response.writeHead(404).end()
      return
    }
    const path = manner === 'hands on' ? url : url.slice(base.length) || '/'
    const forwarded = send({ host: '127.0.0.1', port: target.port, method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { target, port: (server.address() as AddressInfo).port, close }
}
