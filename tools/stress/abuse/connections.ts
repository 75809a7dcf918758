import { setTimeout as pause } from 'node:timers/promises'
import { head, openMany, readStatuses, untilClosed } from './sockets.ts'
import { type Attack, makeTally } from './target.ts'

/** Ten thousand connections on which nothing is ever said. */
export const idle: Attack = async (target, seconds) => {
  const tally = makeTally()
  await untilClosed(await openMany(target, 10_000, tally), seconds)
  return tally.counts
}

/** Sends a byte of a text every second on each of many connections. */
const dribble = async (
  target: Parameters<Attack>[0],
  seconds: number,
  { count, begin, rest }: { readonly count: number; readonly begin: string; readonly rest: string },
) => {
  const tally = makeTally()
  const sockets = await openMany(target, count, tally)
  for (const socket of sockets) {
    readStatuses(socket, tally)
    socket.on('error', () => tally.add('reset')).write(begin)
  }
  let at = 0
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(rest.charAt(at % rest.length))
    at += 1
  }, 1000)
  await untilClosed(sockets, seconds)
  clearInterval(timer)
  return tally.counts
}

/** A thousand requests whose header fields never end. */
export const slowHeads: Attack = (target, seconds) =>
  dribble(target, seconds, {
    count: 1000,
    begin: 'GET /library/ HTTP/1.1\r\nHost: localhost\r\n',
    rest: 'X-A: b\r\n',
  })

/** Five hundred bodies without a token that come byte by byte. */
export const slowBodies: Attack = (target, seconds) =>
  dribble(target, seconds, {
    count: 500,
    begin: `${head('POST', '/library/', { 'Content-Type': 'application/json', 'Content-Length': 131_000 })}${'{"itemTitle":"'.padEnd(130_000, 'x')}`,
    rest: 'x',
  })

/** Two hundred readers of the whole library who never read what is sent. */
export const slowReaders: Attack = async (target, seconds) => {
  const tally = makeTally()
  const sockets = await openMany(target, 200, tally)
  for (const socket of sockets) {
    socket.on('error', () => tally.add('reset')).pause()
    socket.write(head('GET', '/library/', { Authorization: `Bearer ${target.token}` }))
  }
  await untilClosed(sockets, seconds)
  return tally.counts
}

/** Connections that are opened, asked once and thrown away, as fast as it goes. */
export const churn: Attack = async (target, seconds) => {
  const tally = makeTally()
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const sockets = await openMany(target, 200, tally)
    for (const socket of sockets)
      socket.on('error', () => tally.add('reset')).write(head('GET', '/health/live'))
    await pause(0)
    for (const socket of sockets) socket.removeAllListeners('close').destroy()
  }
  return tally.counts
}
