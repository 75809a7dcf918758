import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Tally, Target } from './target.ts'

/** Connections that are being made at a time: more than the kernel's queue would only wait. */
const AT_ONCE = 200

/** A request's head, with whatever fields. */
export const head = (method: string, path: string, fields: Readonly<Record<string, string | number>> = {}) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`

const opened = ({ host, port }: Target, tally: Tally): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, host)
    socket.once('connect', () => {
      tally.add('opened')
      resolve(socket)
    })
    socket.once('error', () => {
      tally.add('failed')
      resolve(undefined)
    })
  })

/** Opens connections, and tells how each ended: the status that came, and whether and when the server closed it. */
export const openMany = async (
  target: Target,
  count: number,
  tally: Tally,
): Promise<ReadonlyArray<Socket>> => {
  const sockets: Array<Socket> = []
  while (sockets.length < count) {
    const some = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => opened(target, tally)),
    )
    const now = some.filter((socket) => socket !== undefined)
    if (now.length === 0) break
    const since = performance.now()
    for (const socket of now)
      socket.once('close', () => {
        tally.add('closed')
        tally.most('closed after, s', (performance.now() - since) / 1000)
      })
    sockets.push(...now)
  }
  return sockets
}

/** Reads the statuses of what comes. */
export const readStatuses = (socket: Socket, tally: Tally): void => {
  socket.on('data', (bytes: Buffer) => {
    for (const [, status = ''] of bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d\d\d) /g))
      tally.add(status)
  })
}

/** Waits until all have been closed by the server, for so long at most, and closes the rest. */
export const untilClosed = async (sockets: ReadonlyArray<Socket>, seconds: number): Promise<void> => {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end && sockets.some(({ destroyed }) => !destroyed)) await pause(250)
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
}
