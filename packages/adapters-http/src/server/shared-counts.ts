import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { RateLimit } from '../options.ts'

/** The counts of the rate limit (A8) as somebody else keeps them, in the form that the plugin wants. */
export const countedBy = (count: NonNullable<RateLimit['count']>): FastifyRateLimitStoreCtor =>
  class Counts implements FastifyRateLimitStore {
    incr: FastifyRateLimitStore['incr'] = (key, told) => {
      count(key).then(
        ({ requests, left }) => told(null, { current: requests, ttl: left }),
        (error: Error) => told(error),
      )
    }

    /** All routes have one budget. */
    child = () => this
  }
