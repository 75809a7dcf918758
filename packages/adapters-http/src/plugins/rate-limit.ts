import { keyOwner, networkOf } from '@almoner/domain/access'
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { problemOfStatus, sendProblem } from '../problems/send-problem.ts'
import { contextOf } from '../request-context.ts'

/** How many requests a client may make of one process, and in how long. */
export interface RateLimit {
  readonly max: number
  readonly milliseconds: number
}

/** Clients that are counted; beyond them the one that began to count longest ago is forgotten. */
const CLIENTS = 5000

/** Returns counters by client that go by the monotonic clock: one of the plugin's own, ahead when it began, held for the whole step back (I9). */
const countersBy = (monotonic: () => number): FastifyRateLimitStoreCtor =>
  class Counters implements FastifyRateLimitStore {
    readonly #counts = new Map<string, { count: number; readonly since: number }>()

    incr: FastifyRateLimitStore['incr'] = (key, callback, window) => {
      const now = monotonic()
      const known = this.#counts.get(key)
      const counter = known !== undefined && now - known.since < window ? known : { count: 0, since: now }
      counter.count += 1
      if (counter !== known) {
        this.#counts.delete(key)
        this.#counts.set(key, counter)
      }
      for (const oldest of this.#counts.keys()) {
        if (this.#counts.size <= CLIENTS) break
        this.#counts.delete(oldest)
      }
      callback(null, { current: counter.count, ttl: window - (now - counter.since) })
    }

    child = () => new Counters()
  }

/** The name of the only limit in its header fields. */
const NAME = '"client"'

/** Returns what requests are counted by: the client, for a person's token the person too (A10), and the network of the unknown. */
const keyOf = (request: FastifyRequest): string => {
  const { caller } = contextOf(request)
  if (caller === undefined) return networkOf(request.ip)
  const { clientId, person } = keyOwner(caller)
  return person === undefined ? clientId : `${clientId} ${person}`
}

/**
 * Counts all requests of a client (A8), or of a network where the client is unknown, and rejects those beyond the limit with 429. Every
 * response has the header fields of draft-ietf-httpapi-ratelimit-headers: `q` requests in `w` seconds, `r` of them left for `t` seconds.
 * @param monotonic milliseconds of a clock that is never set
 * @returns the hook to run once the caller is known; none without a limit
 */
export const limitByClient = async (
  app: FastifyInstance,
  limit: RateLimit | undefined,
  monotonic = () => performance.now(),
): Promise<ReadonlyArray<preHandlerAsyncHookHandler>> => {
  if (limit === undefined) return []
  await app.register(rateLimit, { global: false, store: countersBy(monotonic) })
  const check = app.createRateLimit({
    max: limit.max,
    timeWindow: limit.milliseconds,
    keyGenerator: keyOf,
  })
  const policy = `${NAME};q=${limit.max};w=${Math.ceil(limit.milliseconds / 1000)}`
  return [
    async (request, reply) => {
      const counted = await check(request)
      if (counted.isAllowed) return undefined
      const seconds = counted.ttlInSeconds
      reply.headers({
        'ratelimit-policy': policy,
        ratelimit: `${NAME};r=${counted.remaining};t=${seconds}`,
      })
      return counted.isExceeded
        ? sendProblem(request, reply.header('retry-after', seconds), problemOfStatus(429))
        : undefined
    },
  ]
}
