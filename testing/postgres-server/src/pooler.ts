import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Cluster } from './cluster.ts'

/** When a pooler takes a session of the server away from a client: when that ends, or after each transaction, or after each statement. */
export type PoolMode = 'session' | 'transaction' | 'statement'

/** How a pooler differs from a plain one in session mode. */
export interface PoolerOptions {
  readonly mode: PoolMode
  /** The most sessions that it opens to the server. */
  readonly size?: number
  /** Which of the free sessions the next client gets: the one that was used last, as PgBouncer does by default, or each in turn. */
  readonly order?: 'last' | 'turn'
}

/** A pooler before a server, with a separate address. */
export interface Pooler {
  readonly port: number
  url(database: string): string
  /** Ends all connections and goes on in another mode, as a restart with another configuration does. */
  restart(options: PoolerOptions): void
  /** Goes on in another mode without ending connections, as a reload does. */
  reload(mode: PoolMode): void
  close(): Promise<void>
}

interface Message {
  /** The letter of its kind; empty for the first one of a client, which has none. */
  readonly kind: string
  readonly bytes: Buffer
}

/** Takes the first message off bytes, if it is complete. Its head is a letter, but at the start, and a length that includes itself. */
const firstMessage = (bytes: Buffer, isStart: boolean): Message | undefined => {
  const head = isStart ? 0 : 1
  if (bytes.length < head + 4) return undefined
  const length = head + bytes.readInt32BE(head)
  if (bytes.length < length) return undefined
  return { kind: isStart ? '' : String.fromCharCode(bytes[0] ?? 0), bytes: bytes.subarray(0, length) }
}

/** Cuts the bytes of a connection into messages. That of a client begins with one that has no letter. */
const makeReader = (on: (message: Message) => void, hasStart: boolean): ((bytes: Buffer) => void) => {
  let rest = Buffer.alloc(0)
  let isStart = hasStart
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (let next = firstMessage(rest, isStart); next !== undefined; next = firstMessage(rest, isStart)) {
      rest = rest.subarray(next.bytes.length)
      isStart = false
      on(next)
    }
  }
}

const messageOf = (kind: string, body: Buffer | string): Buffer => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
  const head = Buffer.alloc(5, kind)
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

/** What PgBouncer says when a client begins a transaction in statement mode, before it ends the connection. */
const NO_TRANSACTIONS = messageOf(
  'E',
  'SFATAL\0VFATAL\0C08P01\0Mtransaction blocks not allowed in statement pooling mode\0\0',
)

/** A session of the server, which a client may have or not. */
interface ServerSession {
  readonly socket: Socket
  client: ClientLink | undefined
  isReady: boolean
}

interface ClientLink {
  readonly socket: Socket
  /** The first message of the client: role, database and parameters. */
  start: Buffer
  /** Messages that wait for a session. */
  waiting: Array<Buffer>
  session: ServerSession | undefined
}

/**
 * Starts a pooler as PgBouncer is one: sessions of the server stay open and are given to clients in turn, notifications for a client without a
 * session are dropped, and settings and prepared statements stay with the session (https://www.pgbouncer.org/features.html,
 * https://www.pgbouncer.org/config.html#pool_mode). It keeps one pool, of the role and the database that came first, and does not reset sessions
 * but in session mode.
 */
export const startPooler = async (cluster: Cluster, first: PoolerOptions): Promise<Pooler> => {
  let { mode, size = 20, order = 'last' } = first
  let sessions: Array<ServerSession> = []
  let links = new Set<ClientLink>()
  let queue: Array<ClientLink> = []
  /** The messages of the server before its first statement, which each client gets. */
  let welcome: Buffer | undefined

  const give = (session: ServerSession, link: ClientLink) => {
    session.client = link
    link.session = session
    for (const bytes of link.waiting.splice(0)) session.socket.write(bytes)
  }

  const free = (session: ServerSession) => {
    if (session.client !== undefined) session.client.session = undefined
    session.client = undefined
    sessions = [...sessions.filter((one) => one !== session), session]
    const next = queue.shift()
    if (next !== undefined) give(session, next)
  }

  const isOver = (status: string): boolean =>
    mode === 'statement' || (mode === 'transaction' && status === 'I')

  /** Passes an answer on to the client that has the session. */
  const answer = (session: ServerSession, link: ClientLink, { kind, bytes }: Message) => {
    const status = kind === 'Z' ? String.fromCharCode(bytes[5] ?? 0) : undefined
    if (mode === 'statement' && status !== undefined && status !== 'I') {
      link.socket.end(NO_TRANSACTIONS)
      session.socket.destroy()
      return
    }
    link.socket.write(bytes)
    if (status !== undefined && isOver(status)) free(session)
  }

  const openSession = (start: Buffer, onReady: (session: ServerSession) => void) => {
    const socket = connect(`${cluster.socket}/.s.PGSQL.5432`)
    const session: ServerSession = { socket, client: undefined, isReady: false }
    sessions.push(session)
    const opening: Array<Buffer> = []
    const read = (message: Message) => {
      if (session.isReady) {
        // A message for no client, such as a notification, is dropped.
        if (session.client !== undefined) answer(session, session.client, message)
        return
      }
      opening.push(message.bytes)
      if (message.kind !== 'Z') return
      welcome = Buffer.concat(opening)
      session.isReady = true
      onReady(session)
    }
    socket.write(start)
    socket.on('data', makeReader(read, false))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sessions = sessions.filter((one) => one !== session)
      session.client?.socket.destroy()
    })
  }

  const findSession = (link: ClientLink) => {
    const ready = sessions.filter(({ isReady, client }) => isReady && client === undefined)
    const session = order === 'last' ? ready.at(-1) : ready[0]
    if (session !== undefined) give(session, link)
    else {
      queue.push(link)
      if (sessions.length < size) openSession(link.start, free)
    }
  }

  const greet = (link: ClientLink) => {
    if (welcome !== undefined) link.socket.write(welcome)
    else
      openSession(link.start, (session) => {
        link.socket.write(welcome ?? '')
        free(session)
      })
  }

  const server = createServer({ noDelay: true }, (socket) => {
    const link: ClientLink = { socket, start: Buffer.alloc(0), waiting: [], session: undefined }
    links.add(link)
    const pass = (bytes: Buffer) => {
      if (link.session !== undefined) link.session.socket.write(bytes)
      else if (link.waiting.push(bytes) === 1) findSession(link)
    }
    const read = ({ kind, bytes }: Message) => {
      if (kind === 'X') socket.end()
      else if (kind !== '') pass(bytes)
      else {
        link.start = bytes
        greet(link)
      }
    }
    socket.on('data', makeReader(read, true))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      links.delete(link)
      queue = queue.filter((one) => one !== link)
      // In the middle of a transaction, or in session mode, it is not reused: that is as good as a reset.
      link.session?.socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const cut = () => {
    for (const { socket } of [...links, ...sessions]) socket.destroy()
    links = new Set()
    sessions = []
    queue = []
  }
  return {
    port,
    url: (database) => `postgres://almoner@127.0.0.1:${port}/${database}`,
    restart: (options) => {
      cut()
      ;({ mode, size = 20, order = 'last' } = options)
    },
    reload: (other) => {
      mode = other
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
