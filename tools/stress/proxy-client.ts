import { request as overHttp } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { request as overTls } from 'node:https'
import { connect } from 'node:tls'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { HOST } from './proxy-servers.ts'

/** A request of the walk. */
export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Looks at the parts of a body as they come; true ends the request. */
  readonly onPart?: (part: Buffer, whole: Buffer) => boolean
}

/** A response, whose body is decompressed. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly bytes: Buffer
  readonly parts: number
}

/** Sends a request by its path. */
export type Send = (path: string, asked?: Asked) => Promise<Answered>

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

type RawHeaders = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const answered = (
  status: number,
  raw: RawHeaders,
  sent: ReadonlyArray<Buffer>,
  isWhole: boolean,
): Answered => {
  const headers = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)]))
  const whole = Buffer.concat(sent)
  const bytes = isWhole ? (DECODERS[headers['content-encoding'] ?? '']?.(whole) ?? whole) : whole
  return { status, headers, bytes, text: bytes.toString(), parts: sent.length }
}

/** A stream of a response, of either version of HTTP. */
interface Incoming {
  on(event: 'data', listener: (part: Buffer) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  destroy(): void
}

/** Reads a response to its end, or to where the request has seen enough. */
const readAll = (
  incoming: Incoming,
  onPart: Asked['onPart'],
  done: (sent: Array<Buffer>, isWhole: boolean) => void,
) => {
  const sent: Array<Buffer> = []
  incoming.on('data', (part) => {
    sent.push(part)
    if (onPart?.(part, Buffer.concat(sent)) !== true) return
    done(sent, false)
    incoming.destroy()
  })
  incoming.on('end', () => done(sent, true))
  incoming.on('close', () => done(sent, false))
}

interface Target {
  readonly port: number
  readonly certificate: string
  /** The address that this client has. */
  readonly localAddress: string
}

/** Sends requests over HTTP/1.1 and TLS. */
export const sendOverHttp1 =
  ({ port, certificate, localAddress }: Target): Send =>
  (path, { method = 'GET', headers = {}, body, onPart } = {}) =>
    new Promise((resolve, reject) => {
      const own = {
        host: `${HOST}:${port}`,
        ...headers,
        ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
      }
      const address = {
        host: '127.0.0.1',
        port,
        localAddress,
        servername: HOST,
        ca: certificate,
        agent: false,
      }
      const outgoing = overTls({ ...address, method, path, headers: own }, (response) => {
        const { statusCode = 0, headers: received } = response
        readAll(response, onPart, (sent, isWhole) => resolve(answered(statusCode, received, sent, isWhole)))
      })
      outgoing.once('error', reject)
      outgoing.end(body)
    })

/** Sends requests to the service itself. */
export const sendDirectly =
  (port: number): Send =>
  (path, { method = 'GET', headers = {}, body, onPart } = {}) =>
    new Promise((resolve, reject) => {
      const outgoing = overHttp(
        { host: '127.0.0.1', port, method, path, headers, agent: false },
        (response) => {
          const { statusCode = 0, headers: received } = response
          readAll(response, onPart, (sent, isWhole) => resolve(answered(statusCode, received, sent, isWhole)))
        },
      )
      outgoing.once('error', reject)
      outgoing.end(body)
    })

const opened = ({ port, certificate, localAddress }: Target): Promise<ClientHttp2Session> =>
  new Promise((resolve, reject) => {
    const session = connectHttp2(`https://${HOST}:${port}`, {
      createConnection: () =>
        connect({
          ...{ host: '127.0.0.1', port, localAddress, servername: HOST, ca: certificate, agent: false },
          ALPNProtocols: ['h2'],
        }),
    })
    session.once('connect', () => resolve(session)).once('error', reject)
  })

/** Sends requests over HTTP/2, each on a new connection. */
export const sendOverHttp2 =
  (target: Target): Send =>
  async (path, { method = 'GET', headers = {}, body, onPart } = {}) => {
    const session = await opened(target)
    try {
      return await new Promise((resolve, reject) => {
        session.once('error', reject)
        const stream = session.request(
          {
            ':method': method,
            ':path': path,
            ...headers,
            ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
          },
          { endStream: body === undefined },
        )
        stream.once('error', reject)
        stream.once('response', ({ ':status': status = 0, ...received }) => {
          readAll(stream, onPart, (sent, isWhole) =>
            resolve(answered(status, received as RawHeaders, sent, isWhole)),
          )
        })
        if (body !== undefined) stream.end(body)
      })
    } finally {
      session.destroy()
    }
  }
