import { keyOwner, networkOf, type RequestCounts, shareRequests } from '@almoner/domain/access'
import { instant } from '@almoner/domain/values'
import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify'
import { problemOfStatus, sendProblem } from '../problems/send-problem.ts'
import { contextOf } from '../request-context.ts'

/** How many requests a client may make, and in how long. */
export interface RateLimit {
  readonly max: number
  readonly milliseconds: number
  /** Counts that processes share, with the same limit (`shareRequests`). Each process counts alone when absent. */
  readonly counts?: RequestCounts | undefined
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

const clock = { now: () => instant(Date.now()) }

/**
 * Counts all requests of a client (A8), or of a network where the client is unknown, and rejects those beyond the limit with 429. Every
 * response has the header fields of draft-ietf-httpapi-ratelimit-headers: `q` requests in `w` seconds, `r` of them left for `t` seconds.
 * @param monotonic milliseconds of a clock that is never set
 * @returns the hook to run once the caller is known; none without a limit
 */
export const limitByClient = (
  limit: RateLimit | undefined,
  monotonic = () => performance.now(),
): ReadonlyArray<preHandlerAsyncHookHandler> => {
  if (limit === undefined) return []
  const { max, milliseconds: window } = limit
  const counts = limit.counts ?? shareRequests({ limit: max, window, clock, monotonic })
  const policy = `${NAME};q=${max};w=${Math.ceil(window / 1000)}`
  return [
    async (request, reply) => {
      const { requests, endsIn } = counts.count(keyOf(request))
      const seconds = Math.ceil(endsIn / 1000)
      reply.headers({
        'ratelimit-policy': policy,
        ratelimit: `${NAME};r=${Math.max(0, max - requests)};t=${seconds}`,
      })
      return requests > max
        ? sendProblem(request, reply.header('retry-after', seconds), problemOfStatus(429))
        : undefined
    },
  ]
}
