import { networkOf } from '@almoner/domain'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify'
import type { RateLimit } from '../options.ts'
import { problemOfStatus } from '../problems/problem-of-error.ts'
import { sendProblem } from '../problems/send.ts'
import { stateOf } from '../request-context.ts'

/** The only limit there is, by the name that its header fields have for it. */
const NAME = '"client"'

/**
 * Counts the requests of a client whatever it asks for (A8), of an address where nobody is known, and refuses those beyond the limit with
 * 429. Every answer says what the limit is and what is left of it, as draft-ietf-httpapi-ratelimit-headers has it: `q` requests in `w`
 * seconds, `r` of them left in the `t` seconds to come. A hook for after the caller is known; none without a limit.
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
    keyGenerator: (request) => stateOf(request).caller?.clientId ?? networkOf(request.ip),
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
