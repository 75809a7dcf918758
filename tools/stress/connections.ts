// Attacks that open more connections than they use.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** The attacked server. The token is a content manager's; most attackers have none. */
export interface Target {
  readonly url: string
  readonly token: string
  /** An item of the library. */
  readonly itemId: string
}

/** How often each thing happened. */
export type StatusCounts = Readonly<Record<string, number>>

export type Attack = (target: Target, seconds: number) => Promise<StatusCounts>

/** Opens connections, 200 at a time, because the kernel queues no more. */
const openMany = async (url: string, count: number, add: (what: string) => void) => {
  const { hostname, port } = new URL(url)
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(socket)).once('error', reject)
    })
  const sockets: Array<Socket> = []
  while (sockets.length < count) {
    const opened = await Promise.all(Array.from({ length: Math.min(200, count - sockets.length) }, open))
    for (const socket of opened) sockets.push(socket.on('error', () => add('reset')))
  }
  return sockets
}

interface OpenConnection {
  readonly first?: (target: Target) => string
  /** A text of which a byte follows each second. */
  readonly text?: string
  readonly isRead?: boolean
}

/** Sends a byte of a text each second to all that are open, until none is or the time is over. */
const drip = async (sockets: ReadonlyArray<Socket>, text: string, isOver: () => boolean): Promise<void> => {
  for (let at = 0; !isOver() && sockets.some(({ destroyed }) => !destroyed); at += 1) {
    await pause(1000)
    for (const socket of sockets) if (socket.writable) socket.write(text.charAt(at % text.length))
  }
}

/** Makes an attack that opens connections and keeps them until the server closes them, or until the time is over. */
export const hold =
  (count: number, { first = () => '', text = '', isRead = true }: OpenConnection = {}): Attack =>
  async (target, seconds) => {
    const outcome: Record<string, number> = { opened: count }
    const add = (what: string) => {
      outcome[what] = (outcome[what] ?? 0) + 1
    }
    const sockets = await openMany(target.url, count, add)
    const start = performance.now()
    const passed = () => Math.round((performance.now() - start) / 1000)
    const close = () => {
      add('closed')
      outcome['closed within s'] = passed()
    }
    for (const socket of sockets) {
      socket.once('close', close).write(first(target))
      if (isRead) socket.on('data', (bytes) => add(bytes.toString('latin1', 9, 12)))
    }
    await drip(sockets, text, () => passed() >= seconds)
    for (const socket of sockets) socket.off('close', close).destroy()
    return outcome
  }

/** Opens connections, asks once and throws them away, as fast as it goes. */
export const churn: Attack = async ({ url }, seconds) => {
  const outcome = { opened: 0 }
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(0)) {
    const sockets = await openMany(url, 200, () => {})
    outcome.opened += sockets.length
    for (const socket of sockets) socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
    await pause(0)
    for (const socket of sockets) socket.destroy()
  }
  return outcome
}
