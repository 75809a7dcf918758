import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { EverySecond } from '../../src/request/metered-body.ts'
import { type RawAnswer, readAnswer } from './raw.ts'

/** A clock of seconds that passes when a test says so. */
export interface Seconds {
  readonly everySecond: EverySecond
  /** Resolves once the seconds are counted, and what follows from them has happened in this process. */
  readonly pass: (seconds: number) => Promise<void>
}

/** Enough turns of the event loop for a token to be looked up in memory. */
const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

/** Makes a clock that stands still. */
export const stillClock = (): Seconds => {
  const looks = new Set<() => void>()
  return {
    everySecond: (look) => {
      looks.add(look)
      return () => looks.delete(look)
    },
    pass: async (seconds) => {
      for (let second = 0; second < seconds; second += 1) for (const look of [...looks]) look()
      await someTurns()
    },
  }
}

/** A connection to a server whose answers come when the server sends them. */
export interface Line {
  readonly socket: Socket
  /** Everything received so far. */
  readonly received: () => string
  /** Resolves with the first answer when the server has closed the connection. */
  readonly closed: Promise<RawAnswer>
}

/** Opens a connection and sends bytes on it. */
export const openLine = (url: string, bytes: string | Uint8Array): Line => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Array<Buffer> = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  const received = () => Buffer.concat(chunks).toString('utf8')
  const closed = new Promise<RawAnswer>((resolve) =>
    socket.once('close', () => resolve(readAnswer(received()))),
  )
  socket.write(bytes)
  return { socket, received, closed }
}

/** Returns a function that resolves once a server in this process has read all bytes sent on connections, or a number of them. */
export const readCounter = (app: FastifyInstance) => {
  const sockets = new Map<number, Socket>()
  app.server.on('connection', (socket: Socket) => sockets.set(socket.remotePort ?? 0, socket))
  const readOn = ({ socket }: Line) => sockets.get(socket.localPort ?? 0)?.bytesRead ?? 0
  const sum = (lines: ReadonlyArray<Line>, of: (line: Line) => number) =>
    lines.reduce((total, line) => total + of(line), 0)
  return async (lines: ReadonlyArray<Line>, bytes?: number): Promise<void> => {
    while (sum(lines, readOn) < (bytes ?? sum(lines, ({ socket }) => socket.bytesWritten))) await nextTurn()
    await someTurns()
  }
}

/** The head of a request whose body follows. */
export const headOf = (path: string, headers: Readonly<Record<string, string | number>>): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: almoner.example.org',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')
