import { once } from 'node:events'
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { isRecord, parseJson } from '../src/server/json.ts'

export interface Given {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The text as JSON, an empty object when it is none. */
  readonly json: Readonly<Record<string, unknown>>
}

export interface Asked {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const given = (status: number, headers: IncomingHttpHeaders, text: string): Given => {
  const json = parseJson(text)
  return { status, headers, text, json: isRecord(json) ? json : {} }
}

/** One request on an HTTP/2 connection; rejects when the stream breaks. */
export const ask = (
  session: ClientHttp2Session,
  { method = 'POST', path, headers = {}, body = '' }: Asked,
): Promise<Given> =>
  new Promise((resolve, reject) => {
    const stream = session.request({ ':method': method, ':path': path, ...headers })
    let head: IncomingHttpHeaders | undefined
    let text = ''
    stream.setEncoding('utf8')
    stream.on('response', (headers) => {
      head = headers
    })
    stream.on('data', (chunk) => {
      text += chunk
    })
    stream.on('error', reject)
    stream.on('close', () => {
      if (head === undefined) reject(new Error(`closed with ${stream.rstCode}`))
      else resolve(given(Number(head[':status']), head, text))
    })
    stream.end(body)
  })

/** Sends one request over HTTP/1.1 on a new connection. */
export const askHttp1 = (
  origin: string,
  ca: string,
  { method = 'POST', path, headers = {}, body = '' }: Asked,
): Promise<Given> =>
  new Promise((resolve, reject) => {
    const request = httpsRequest(
      new URL(path, origin),
      { method, ca, headers, agent: false },
      async (response) => {
        response.setEncoding('utf8')
        const text = (await response.toArray()).join('')
        resolve(given(response.statusCode ?? 0, response.headers, text))
      },
    )
    request.on('error', reject)
    request.end(body)
  })

/** An HTTP/2 connection that trusts an authority, once it stands. */
export const dial = async (origin: string, ca: string): Promise<ClientHttp2Session> => {
  const session = connect(origin, { ca })
  await once(session, 'connect')
  session.on('error', () => {})
  return session
}
