import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Fixture } from './fixture.ts'
import { type RawAnswer, readAnswer } from './raw.ts'

/** A request whose body is sent in two parts. */
export interface HeldRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Returns the body of a request, with the header field of its type. */
export const bodyOf = async (
  body: FormData | URLSearchParams | object,
): Promise<Pick<HeldRequest, 'body' | 'headers'>> => {
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  const encoded = isForm ? new Response(body) : Response.json(body)
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  }
}

/**
 * Sends the head of a request and the first half of its body. Resolves once the server reads the body, so that it has looked at the head, with
 * the function that sends the rest and returns the answer.
 */
export const hold = async (
  { url, app }: Fixture,
  { method, path, headers, body }: HeldRequest,
): Promise<() => Promise<RawAnswer>> => {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Array<Buffer> = []
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks).toString('utf8'))))
  })
  const reading = new Promise<void>((resolve) => {
    // Other requests may come between.
    const watch = (request: IncomingMessage) => {
      if (request.socket.remotePort !== socket.localPort) return
      app.server.off('request', watch)
      request.once('resume', resolve)
    }
    app.server.prependListener('request', watch)
  })
  const all = { host, connection: 'close', 'content-length': String(body.length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const half = Math.floor(body.length / 2)
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  socket.write(body.subarray(0, half))
  await Promise.race([
    reading,
    answer.then(({ text }) => {
      throw new Error('the server answered before it read the body', { cause: text })
    }),
  ])
  return () => {
    socket.write(body.subarray(half))
    return answer
  }
}
