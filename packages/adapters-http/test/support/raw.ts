import { connect } from 'node:net'

/** An answer as it came over the socket. */
export interface RawAnswer {
  readonly status: number
  /** By name in lower case; the values of a repeated name joined. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Everything received. */
  readonly text: string
}

/** The first answer in what a socket received. Chunked bodies are left as they are. */
export const readAnswer = (text: string): RawAnswer => {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: text.slice(end + 4), text }
}

/** Sends bytes as they are and gives all that comes back until the server ends the connection. */
export const exchange = (url: string, bytes: string | Uint8Array): Promise<RawAnswer> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const chunks: Array<Buffer> = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // A server that closes early resets the connection: the bytes until then are the response.
    socket.on('error', () => {})
    socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks).toString('utf8'))))
    socket.write(bytes)
  })

/** A request whose path is sent exactly as given, where fetch would put it right. */
export const send = (
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<RawAnswer> => {
  const sized = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const all = { Host: new URL(url).host, Connection: 'close', ...sized, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return exchange(url, [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n'))
}
