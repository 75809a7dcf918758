import { connect } from 'node:net'

/** A connection that is kept, on which one request is made at a time. */
export interface Asker {
  /** Asks once more. Nobody may ask before the last answer is whole. */
  ask(): void
  end(): void
}

/**
 * Opens a connection for one request. It looks only for the end of each answer: whoever asks should use as little of the machine as can
 * be.
 */
export const makeAsker = (
  url: URL,
  { request, length }: { readonly request: Buffer; readonly length: number },
  answered: () => void,
): Asker => {
  const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true })
  let received = 0
  socket.on('data', (chunk) => {
    received += chunk.length
    if (received < length) return
    received -= length
    answered()
  })
  return { ask: () => socket.write(request), end: () => socket.destroy() }
}

/** The length of an answer in bytes, head included: all answers to one request have the same. */
export const lengthOf = async (url: URL, request: Buffer, status = 200): Promise<number> => {
  const socket = connect(Number(url.port), url.hostname)
  socket.write(request)
  let bytes = Buffer.alloc(0)
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    const head = bytes.indexOf('\r\n\r\n')
    const told = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1] ?? 0)
    const length = request.toString('latin1', 0, 'HEAD'.length) === 'HEAD' ? 0 : told
    if (!bytes.toString('latin1', 0, 12).startsWith(`HTTP/1.1 ${status}`)) throw new Error(bytes.toString())
    if (head > 0 && bytes.length === head + 4 + length) break
  }
  socket.destroy()
  return bytes.length
}
