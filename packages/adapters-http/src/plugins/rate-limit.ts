import { networkOf } from '@almoner/domain/access'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify'
import { problemOfStatus, sendProblem } from '../problems/send-problem.ts'
import { contextOf } from '../request-context.ts'

/** How many requests a client may make of one process, and in how long. */
export interface RateLimit {
  readonly max: number
  readonly milliseconds: number
}

/** The name of the only limit in its header fields. */
const NAME = '"client"'

/**
 * Counts all requests of a client (A8), or of a network where the client is unknown, and rejects those beyond the limit with 429. Every
 * response has the header fields of draft-ietf-httpapi-ratelimit-headers: `q` requests in `w` seconds, `r` of them left for `t` seconds.
 * @returns the hook to run once the caller is known; none without a limit
 */
export const limitByClient = async (
  app: FastifyInstance,
  limit: RateLimit | undefined,
): Promise<ReadonlyArray<preHandlerAsyncHookHandler>> => {
  if (limit === undefined) return []
  await app.register(rateLimit, { global: false })
  const check = app.createRateLimit({
    max: limit.max,
    timeWindow: limit.milliseconds,
    keyGenerator: (request) => contextOf(request).caller?.clientId ?? networkOf(request.ip),
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
