import { Readable } from 'node:stream'
import type { Ports } from '@almoner/domain'
import { REQUIREMENTS, type TokenDigest } from '@almoner/domain/access'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import type { Problem } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import type { RouteAccess } from '../request/authentication.ts'
import { addRoute } from '../request-context.ts'
import { type SessionParts, sessionOf } from './callers.ts'
import { sessionHooks } from './sign-in-response.ts'

/** Milliseconds between two looks at the data version and the sessions. */
const INTERVAL = 1000

/** Looks from one heartbeat to the next. */
const HEARTBEATS = 4

/** Looks after which a stream ends whose session has not been found again: within five seconds (A9). */
const UNKNOWN = 4

/** Open streams of one manager, and of all, in this process. */
const MOST_OF_ONE = 10
const MOST = 1000

/** Bytes that wait for a slow reader, beyond which it gets nothing more: it has an event to read already. */
const WAITING = 1024

const CHANGE = 'event: change\ndata: changed\n\n'

/** A comment: keeps the connection from being idle, and shows that it is still open. */
const HEARTBEAT = ':\n\n'

/** How changes are noticed. */
export interface ChangeParts {
  /** Returns a number that changes whenever data may have changed. */
  readonly version: () => number
  /** Milliseconds between two looks at it, and at the sessions of streams; one second unless given. */
  readonly interval?: number
}

/** The parts of {@link makeChangeStreams}. */
export interface StreamParts extends ChangeParts {
  /** Resolves with those of some sessions that still count. Rejects if it cannot be known. */
  readonly current: (digests: ReadonlyArray<TokenDigest>) => Promise<ReadonlySet<TokenDigest>>
}

/** The session and the manager of a stream. */
interface Watcher {
  readonly manager: string
  readonly session: TokenDigest
}

interface OpenStream extends Watcher {
  readonly stream: Readable
  /** The number of the look at which the session was last known to count. */
  foundAt: number
}

/** Streams of server-sent events that notify pages of changes. */
interface ChangeStreams {
  /** Opens a stream for a session that counts now; undefined if the manager, or all together, have too many. */
  readonly open: (watcher: Watcher) => Readable | undefined
  /** Ends all streams. Streams that are opened afterwards end at once. */
  readonly end: () => void
}

/**
 * Makes the streams of a process. Data version and sessions are looked at only while a stream is open, by one timer and one query for all.
 * A stream ends within five seconds of its session, however that ends, and also if the store cannot tell for so long (A9).
 */
export const makeChangeStreams = ({ version, current, interval = INTERVAL }: StreamParts): ChangeStreams => {
  const streams = new Set<OpenStream>()
  let timer: NodeJS.Timeout | undefined
  let [known, ticks, ended, isLooking] = [0, 0, false, false]

  const push = ({ stream }: OpenStream, text: string): void => {
    if (stream.readableLength < WAITING) stream.push(text)
  }
  /** Forgets a stream, whether it is ended here or closed by its reader. Without streams nothing is looked at. */
  const forget = (one: OpenStream): void => {
    streams.delete(one)
    if (streams.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const endOne = (one: OpenStream): void => {
    forget(one)
    one.stream.push(null)
  }
  /** Ends the streams whose sessions have ended. */
  const look = async (): Promise<void> => {
    const [asked, startedAt] = [[...streams], ticks]
    isLooking = true
    try {
      const found = await current([...new Set(asked.map(({ session }) => session))])
      for (const one of asked.filter((each) => streams.has(each)))
        if (found.has(one.session)) {
          one.foundAt = startedAt
          if (startedAt % HEARTBEATS === 0) push(one, HEARTBEAT)
        } else endOne(one)
    } catch {
      // The next look may succeed. If none does in time, the streams end.
    } finally {
      isLooking = false
    }
  }
  const tick = (): void => {
    ticks += 1
    for (const one of [...streams].filter(({ foundAt }) => ticks - foundAt >= UNKNOWN)) endOne(one)
    const present = version()
    if (present !== known) for (const one of streams) push(one, CHANGE)
    known = present
    if (!isLooking) void look()
  }
  const isFull = (manager: string): boolean =>
    streams.size >= MOST || [...streams].filter((one) => one.manager === manager).length >= MOST_OF_ONE

  return {
    open: (watcher) => {
      if (isFull(watcher.manager)) return undefined
      const one: OpenStream = { ...watcher, stream: new Readable({ read: () => {} }), foundAt: ticks }
      // Sends the header fields at once.
      push(one, HEARTBEAT)
      if (ended) endOne(one)
      else {
        if (streams.size === 0) known = version()
        streams.add(one)
        one.stream.once('close', () => forget(one))
        timer ??= setInterval(tick, interval).unref()
      }
      return one.stream
    },
    end: () => {
      ended = true
      for (const one of streams) endOne(one)
    },
  }
}

const TOO_MANY: Problem = {
  code: 'too_many_requests',
  detail: 'Too many pages listen for changes.',
  headers: { 'Retry-After': '60' },
}

/** `X-Accel-Buffering` keeps nginx from holding events back. The connection serves nothing else, so that no shutdown waits for it. */
const HEADERS = { 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' }

/** The parts of the route of events. */
interface EventParts extends SessionParts {
  readonly ports: Pick<Ports, 'clock' | 'sessions'>
  readonly changes: ChangeParts
  /** Registers a function that is called when the server is about to stop. */
  readonly onEnding: (listener: () => void) => void
}

/** Returns which sessions still count. Looking does not put their idle end off. */
const current =
  ({ sessions, clock }: EventParts['ports']): StreamParts['current'] =>
  async (digests) => {
    const found = await sessions.current(digests, clock.now())()
    if (E.isLeft(found)) throw new Error('the sessions cannot be read', { cause: found.left.cause })
    return found.right
  }

const ROUTE: RouteAccess = { method: 'GET', access: REQUIREMENTS.useOwnAccount }

/** Adds the stream of server-sent events: `change` whenever data may have changed. It ends with the session (A9) and with the server. */
export const addEvents = (app: FastifyInstance, parts: EventParts): void => {
  const streams = makeChangeStreams({ ...parts.changes, current: current(parts.ports) })
  parts.onEnding(streams.end)
  app.addHook('preClose', async () => streams.end())
  addRoute(app, {
    method: ['GET', 'HEAD'],
    url: '/events',
    ...sessionHooks(parts, ROUTE),
    handler: async (request, reply) => {
      const { manager, session } = sessionOf(request)
      reply.headers(HEADERS).type('text/event-stream')
      if (request.method === 'HEAD') return reply.send()
      const stream = streams.open({ manager: manager.email, session: session.digest })
      return stream === undefined ? sendProblem(request, reply, TOO_MANY) : reply.send(stream)
    },
  })
}
