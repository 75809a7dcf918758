import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { networkOf } from '@almoner/domain/access'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { busy, type Problem, ProblemError } from '../problems/problem.ts'
import { contextOf } from '../request-context.ts'
import { BODY_LIMIT } from '../settings.ts'
import { type BodyPool, makeBodyPool, type PoolShare } from './body-pools.ts'

/** Calls a function once a second, until the returned function is called. */
export type EverySecond = (look: () => void) => () => void

/** Calls by the clock of this machine. Does not keep the process alive. */
const everySecond: EverySecond = (look) => {
  const timer = setInterval(look, 1000)
  timer.unref()
  return () => clearInterval(timer)
}

/** Looks at all bodies that are being received or wait to be, once a second. */
export interface BodyWatch {
  readonly add: (body: { readonly look: () => void }) => void
  readonly delete: (body: { readonly look: () => void }) => void
}

/** Makes the watch of a process. Seconds are counted one by one, so that time in which this process stands still does not count. */
export const makeBodyWatch = (every: EverySecond): BodyWatch => {
  const watched = new Set<{ readonly look: () => void }>()
  let stop: (() => void) | undefined
  return {
    add: (body) => {
      watched.add(body)
      stop ??= every(() => {
        for (const one of watched) one.look()
      })
    },
    delete: (body) => {
      watched.delete(body)
      if (watched.size > 0) return
      stop?.()
      stop = undefined
    },
  }
}

/** How long a body may take, in seconds of reading (A9). */
interface BodyTimes {
  readonly seconds: number
  /** Bytes a second on average, looked at after the first {@link PATIENCE} seconds. */
  readonly leastRate: number
}

/** Seconds in which a body must arrive. */
const SECONDS = 30

/** Seconds in which a body with files must arrive, besides one for each 64 KiB that it announces. */
const FILE_SECONDS = 300
const FILE_BYTES_A_SECOND = 65_536

/** Bytes a second at which a body with files must arrive. */
const LEAST_RATE = 4096
const PATIENCE = 10

/** Bytes that a parser gets at a time: it cannot be stopped within them, however many parts they hold. */
const PIECE = 8192

/** Seconds for which a body may wait for room. */
const MOST_WAITING = 5

/** Returns the times of a body (A9); `announced` is its Content-Length, or NaN. */
export const bodyTimes = (takesFiles: boolean, announced: number): BodyTimes =>
  takesFiles
    ? { seconds: FILE_SECONDS + Math.ceil((announced || 0) / FILE_BYTES_A_SECOND), leastRate: LEAST_RATE }
    : { seconds: SECONDS, leastRate: 0 }

const TIMED_OUT: Problem = {
  code: 'request_timeout',
  detail: 'The body did not arrive in time.',
  headers: { Connection: 'close' },
}

const noRoom = (): Problem => busy(new Error('Too many bodies of unknown callers are being received.'))

/** The bounds of one body. */
interface Metering {
  readonly watch: BodyWatch
  readonly times: BodyTimes
  /** Counts the body among those whose caller is unknown; absent where the caller is known. */
  readonly share: PoolShare | undefined
}

type State = 'idle' | 'reading' | 'waiting'

/**
 * The body of a request, read no faster than its pool has room, and no longer than its times allow. Errors are ProblemErrors. Nothing is
 * read, and no time counts, before the first byte is asked for.
 */
export class MeteredBody extends Readable {
  readonly headers: IncomingMessage['headers']
  readonly share: PoolShare | undefined
  /** Bytes received. */
  received = 0
  readonly #raw: IncomingMessage
  readonly #bounds: Metering
  #state: State = 'idle'
  #hasBegun = false
  /** Seconds of reading, and of waiting for room. */
  #read = 0
  #waited = 0

  constructor(raw: IncomingMessage, bounds: Metering) {
    super()
    this.#raw = raw
    this.#bounds = bounds
    this.headers = raw.headers
    this.share = bounds.share
    // The reader may have left: an error that no one listens for would end the process.
    this.on('error', () => {})
  }

  override _read(): void {
    if (this.#hasBegun) this.#resume()
    else this.#begin()
  }

  #begin(): void {
    this.#hasBegun = true
    this.#raw
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', this.#onCut)
      .on('close', this.#onCut)
      // A request whose connection is cut reports that later, when nothing else may listen any more: it would end the process.
      .on('error', () => {})
    this.#bounds.watch.add(this)
    this.#whenCounted(0, () => this.#resume())
  }

  /** Emits `piping` with the destination first. */
  override pipe<T extends NodeJS.WritableStream>(destination: T, options?: { end?: boolean }): T {
    this.emit('piping', destination)
    return super.pipe(destination, options)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stop()
    // The rest is skipped, so that the client receives the response.
    this.#raw.resume()
    done(error)
  }

  /** Counts one second. */
  readonly look = (): void => {
    if (this.#state === 'waiting') {
      this.#waited += 1
      if (this.#waited >= MOST_WAITING) this.destroy(new ProblemError(noRoom()))
    } else if (this.#state === 'reading') {
      this.#read += 1
      if (this.#isLate()) this.destroy(new ProblemError(TIMED_OUT))
    }
  }

  /** The second under way counts when it is over. */
  #isLate(): boolean {
    const { seconds, leastRate } = this.#bounds.times
    const whole = this.#read - 1
    return whole >= seconds || (whole >= PATIENCE && this.received < whole * leastRate)
  }

  #resume(): void {
    if (this.#state === 'waiting') return
    this.#state = 'reading'
    this.#raw.resume()
  }

  #pause(state: State): void {
    this.#state = state
    this.#raw.pause()
  }

  #whenCounted(bytes: number, work: () => void): void {
    let isCounted = false
    const counted = () => {
      isCounted = true
      if (this.destroyed) return
      if (this.#state === 'waiting') this.#state = 'idle'
      work()
    }
    if (this.share === undefined) counted()
    else this.share.add(bytes, counted)
    if (!isCounted) this.#pause('waiting')
  }

  readonly #onData = (chunk: Buffer): void => {
    this.received += chunk.byteLength
    this.#whenCounted(chunk.byteLength, () => {
      let hasRoom = true
      for (let start = 0; start < chunk.byteLength && !this.destroyed; start += PIECE)
        hasRoom = this.push(chunk.subarray(start, start + PIECE))
      if (this.destroyed) return
      if (hasRoom) this.#resume()
      else this.#pause('idle')
    })
  }

  readonly #onEnd = (): void => {
    this.#stop()
    this.push(null)
  }

  readonly #onCut = (error?: Error): void => {
    this.destroy(error ?? new Error('aborted'))
  }

  #stop(): void {
    this.#state = 'idle'
    this.#bounds.watch.delete(this)
    this.#raw
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onCut)
      .off('close', this.#onCut)
  }
}

/** Ends the connection of a response whose request is still being received half a minute after it (A9). */
export const endUnread = (watch: BodyWatch, raw: IncomingMessage, response: ServerResponse): void => {
  if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
  response.once('finish', () => {
    if (raw.complete) return
    let seconds = 0
    const body = {
      look: () => {
        seconds += 1
        if (seconds > SECONDS) raw.destroy()
        if (raw.complete || raw.destroyed) watch.delete(body)
      },
    }
    watch.add(body)
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the bodies of the route are those of an OAuth endpoint, which have a pool of their own (B10). */
    readonly isOAuth?: true
  }
}

const MIB = 1024 * 1024

/** The limits of the bodies of a process, for all parts of a server together. */
export interface BodyLimits {
  readonly watch: BodyWatch
  /** Returns the body of a request as it is read: within its times (A9), and within its pool if the caller is unknown (B10). */
  readonly meter: (request: FastifyRequest, reply: FastifyReply) => MeteredBody
}

/** Makes the limits of a process. */
export const makeBodyLimits = (every: EverySecond = everySecond): BodyLimits => {
  const watch = makeBodyWatch(every)
  const pool: BodyPool = makeBodyPool({ total: 64 * MIB, perNetwork: 16 * MIB, hasReserve: true })
  const oauthPool: BodyPool = makeBodyPool({ total: 8 * MIB, perNetwork: MIB / 4, hasReserve: false })

  const shareOf = (request: FastifyRequest, takesFiles: boolean, announced: number) => {
    if (contextOf(request).caller !== undefined) return undefined
    const network = networkOf(request.ip)
    if (request.routeOptions.config.isOAuth) return oauthPool(network, false)
    return pool(network, Number.isNaN(announced) ? !takesFiles : announced <= BODY_LIMIT)
  }

  return {
    watch,
    meter: (request, { raw }) => {
      const { route } = request.routeOptions.config
      const takesFiles = route?.upload !== undefined || route?.files === true
      const announced = Number(request.headers['content-length'] ?? Number.NaN)
      const share = shareOf(request, takesFiles, announced)
      const body = new MeteredBody(request.raw, { watch, times: bodyTimes(takesFiles, announced), share })
      raw.once('close', () => {
        if (!body.readableEnded) body.destroy(new Error('aborted'))
        share?.release()
      })
      return body
    },
  }
}
