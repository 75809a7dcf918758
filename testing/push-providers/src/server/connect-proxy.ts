import { once } from 'node:events'
import { createServer as createPlainServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Certificate } from '../tls/authority.ts'

/** A tunnel that a client has asked for. */
export interface AskedTunnel {
  /** HOST:PORT. */
  readonly target: string
  readonly authorization: string | undefined
}

/** A proxy on loopback that opens tunnels (RFC 9110 §9.3.6). It takes any host for this machine. */
export interface ConnectProxy {
  /** `http://127.0.0.1:PORT`, or https. */
  readonly url: string
  readonly asked: ReadonlyArray<AskedTunnel>
  /** Answers with a status from now on instead of opening tunnels, or not at all; undefined: opens them again. */
  answerBy(way: number | 'silence' | undefined): void
  stop(): Promise<void>
}

/** Opens a proxy; `certificate` makes it one that is reached by TLS. */
export const openConnectProxy = async (certificate?: Certificate): Promise<ConnectProxy> => {
  const asked: Array<AskedTunnel> = []
  const sockets = new Set<Socket>()
  let way: number | 'silence' | undefined
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const server = certificate === undefined ? createPlainServer() : createSecureServer(certificate)
  server.on('connect', ({ url: target = '', headers }: IncomingMessage, client: Socket, head: Buffer) => {
    keep(client)
    asked.push({ target, authorization: headers['proxy-authorization'] })
    if (way === 'silence') return
    if (way !== undefined) {
      client.end(`HTTP/1.1 ${way} No\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const upstream = connect(Number(target.slice(target.lastIndexOf(':') + 1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    keep(upstream)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.once('close', () => other.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    asked,
    answerBy: (next) => {
      way = next
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
    },
  }
}
