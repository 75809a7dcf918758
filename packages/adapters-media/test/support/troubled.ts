import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Limits } from '../../src/s3/index.ts'

/** Limits that a busy machine keeps. */
export const PATIENT: S3Limits = { connect: 10_000, silence: 10_000, request: 20_000, upload: 20_000 }

/** Limits of a test that waits for them to be over. */
export const HASTY: S3Limits = { connect: 100, silence: 100, request: 200, upload: 200 }

/** What becomes of a request on its way to the store. */
export type Trouble =
  | 'none'
  /** Listings come in pages of ten. */
  | 'pages'
  /** It is taken and never answered. */
  | 'silence'
  /** It is answered with 503. */
  | 'refusal'
  /** The answer stops in the middle of its body, and the connection stays. */
  | 'stall'
  /** The answer and the connection end in the middle of its body. */
  | 'cut'

/** A proxy in front of a store, which fails on demand. */
export interface Troubled {
  readonly endpoint: string
  /** Decides for every request from now on. */
  readonly make: (trouble: (request: IncomingMessage) => Trouble) => void
  /** The requests that came, as `METHOD path?query`. */
  readonly seen: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

/** Objects of a page. */
const PAGE = 10

/** Bytes of a body that come through before it stalls or is cut. */
const BEGINNING = 1000

const passOn = (store: URL, incoming: IncomingMessage, outgoing: ServerResponse, trouble: Trouble) => {
  const { method, headers, url = '/' } = incoming
  const path = trouble === 'pages' ? `${url}&max-keys=${PAGE}` : url
  const onward = request({ hostname: store.hostname, port: store.port, method, headers, path })
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
    if (trouble === 'none' || trouble === 'pages') {
      answer.pipe(outgoing)
      return
    }
    answer.once('data', (first: Buffer) => {
      answer.destroy()
      outgoing.write(first.subarray(0, BEGINNING), () => {
        if (trouble === 'cut') outgoing.destroy()
      })
    })
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
}

/** Starts a proxy in front of a store. It forwards everything until a failure is switched on. */
export const startTroubled = async (store: string): Promise<Troubled> => {
  let judge: (request: IncomingMessage) => Trouble = () => 'none'
  const seen: Array<string> = []
  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`)
    const trouble = judge(incoming)
    if (trouble === 'silence') incoming.resume()
    else if (trouble === 'refusal') {
      incoming.resume()
      outgoing.writeHead(503).end()
    } else passOn(new URL(store), incoming, outgoing, trouble)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    make: (trouble) => {
      judge = trouble
    },
    seen,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
