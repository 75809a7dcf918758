import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Cluster } from './cluster.ts'

/** Part of a commit that is lost: none, its statement, or its response. The connection ends with the loss. */
export type LostOfCommit = 'nothing' | 'statement' | 'answer'

/** A TCP address behind which servers can be changed, as a balancer's or a name's. */
export interface Proxy {
  readonly port: number
  url(database: string): string
  /** Sends new connections to another server, and closes the existing ones. */
  moveTo(cluster: Cluster): void
  /** Lets nothing through in either direction, and cuts nothing. */
  stall(): void
  flow(): void
  /** Delays each statement from now on by that many milliseconds. */
  delay(milliseconds: number): void
  /** Cuts all connections. */
  cut(): void
  /** Resets one connection, picked at random, as a network that forgets it does; gives whether there was one. */
  resetOne(): boolean
  /** Asks before each commit what of it is to be lost, from now on. */
  loseOfCommits(what: () => LostOfCommit): void
  close(): Promise<void>
}

const socketOf = ({ socket }: Cluster): string => `${socket}/.s.PGSQL.5432`

/** How a commit that is sent by itself, or last among several statements, ends in the protocol. */
const COMMIT = Buffer.from('commit\0')

/** Starts a proxy before a server, on 127.0.0.1. */
export const startProxy = async (cluster: Cluster): Promise<Proxy> => {
  const ends = new Set<Socket>()
  const nears = new Set<Socket>()
  let target = socketOf(cluster)
  let stalled = false
  let delay = 0
  let lostOfCommit = (): LostOfCommit => 'nothing'

  const passCommit = (bytes: Buffer, near: Socket, far: Socket) => {
    const lost = lostOfCommit()
    if (lost === 'answer') {
      far.removeAllListeners('data')
      far.once('data', () => near.destroy())
    }
    if (lost === 'statement') near.destroy()
    else far.write(bytes)
  }

  const server = createServer((near) => {
    const far = connect(target)
    nears.add(near)
    near.on('close', () => nears.delete(near))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from.on('data', (bytes: Buffer) => {
        const pass = () => {
          if (from === far || !bytes.includes(COMMIT)) to.write(bytes)
          else passCommit(bytes, near, far)
        }
        if (from === near && delay > 0) setTimeout(pass, delay)
        else pass()
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        ends.delete(from)
        to.destroy()
      })
      if (stalled) from.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const cut = () => {
    for (const end of ends) end.destroy()
  }
  return {
    port,
    url: (database) => `postgres://almoner@127.0.0.1:${port}/${database}`,
    moveTo: (other) => {
      target = socketOf(other)
      cut()
    },
    stall: () => {
      stalled = true
      for (const end of ends) end.pause()
    },
    flow: () => {
      stalled = false
      for (const end of ends) end.resume()
    },
    delay: (milliseconds) => {
      // A delayed statement would arrive behind the next one.
      if (milliseconds < delay) cut()
      delay = milliseconds
    },
    cut,
    resetOne: () => {
      const near = [...nears][Math.floor(Math.random() * nears.size)]
      near?.resetAndDestroy()
      return near !== undefined
    },
    loseOfCommits: (what) => {
      lostOfCommit = what
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
