import type {
  IncomingMessage,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  Server,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { targetOf } from '../../src/request-context.ts'
import { disagreements, type Exchange } from './conformity.ts'
import { readAnswer } from './raw.ts'

/** Header fields as they are given to `writeHead`: in turns, or by name. */
type Given = ReadonlyArray<OutgoingHttpHeader> | OutgoingHttpHeaders | undefined

const byName = (given: Given): Readonly<Record<string, unknown>> => {
  if (given === undefined) return {}
  if (!Array.isArray(given)) return given as OutgoingHttpHeaders
  const names = given.filter((_, at) => at % 2 === 0)
  return Object.fromEntries(names.map((name, at) => [String(name), given[at * 2 + 1]]))
}

const lowered = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))

/** Notes what goes out with an answer, and gives it once it has. */
const gather = (response: ServerResponse) => {
  const chunks: Array<Buffer> = []
  let head: Given
  const { write, end, writeHead } = response
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const noting = (send: (...args: ReadonlyArray<never>) => unknown) =>
    function (this: ServerResponse, ...args: ReadonlyArray<unknown>) {
      keep(args[0])
      return Reflect.apply(send, this, args)
    }
  response.write = noting(write as never) as typeof write
  response.end = noting(end as never) as typeof end
  response.writeHead = function (this: ServerResponse, ...args: ReadonlyArray<unknown>) {
    head = args.find((one) => typeof one === 'object' && one !== null) as Given
    return Reflect.apply(writeHead, this, args)
  } as typeof writeHead
  return () => {
    const headers = { ...lowered(response.getHeaders()), ...lowered(byName(head)) }
    const bytes = Buffer.concat(chunks)
    // Of an image it matters only whether it is empty; as text, ten megabytes of it take a tenth of a second.
    const read = headers['content-type']?.startsWith('image/') ? 1 : bytes.length
    return { status: response.statusCode, headers, body: bytes.toString('utf8', 0, read) }
  }
}

/**
 * Validates every response of a server against the OpenAPI document, and reports each disagreement. Skips responses whose client left
 * early. Requests may begin with `basePath`, the path of the public URL (M13).
 */
export const watchAgreement = (
  server: Server,
  basePath: string,
  tell: (disagreement: string) => void,
): void => {
  const look = (exchange: Exchange) => {
    const wrong = disagreements(exchange)
    const { method, target, status } = exchange
    if (wrong.length > 0) tell(`${method} ${target.slice(0, 200)} ${status}: ${wrong.join('; ')}`)
  }
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const [method = '', url] = [request.method, targetOf(request)]
    const sent = gather(response)
    const isBelow = basePath !== '' && url.startsWith(`${basePath}/`)
    const target = isBelow ? url.slice(basePath.length) : url
    response.once('finish', () => look({ method, target, ...sent() }))
  })
  // Invalid HTTP is answered on the bare connection.
  server.prependListener('clientError', (_, socket: Socket) => {
    const { end } = socket
    socket.end = ((...args: ReadonlyArray<unknown>) => {
      if (typeof args[0] === 'string') look({ method: 'unreadable', target: '', ...readAnswer(args[0]) })
      return Reflect.apply(end, socket, args)
    }) as typeof end
  })
}
