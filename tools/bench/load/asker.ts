import { connect } from 'node:net'

/** A connection that is kept, on which one request is made at a time. */
export interface Asker {
  /** Asks once more. Nobody may ask before the last answer is whole. */
  ask(): void
  end(): void
}

/** Bytes that are read at once. */
const READ = 65_536

/**
 * Opens a connection for one request. It looks only for the end of each answer, and reads all of them into the same piece of memory:
 * whoever asks should use as little of the machine as can be, and never stop to collect garbage while others wait.
 */
export const makeAsker = (
  url: URL,
  { request, length }: { readonly request: Buffer; readonly length: number },
  answered: () => void,
): Asker => {
  let received = 0
  const read = (bytes: number): boolean => {
    received += bytes
    if (received >= length) {
      received -= length
      answered()
    }
    return true
  }
  const onread = { buffer: Buffer.alloc(READ), callback: read }
  const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true, onread })
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
