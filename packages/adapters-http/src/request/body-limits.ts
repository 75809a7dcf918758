import { networkOf } from '@almoner/domain/access'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BODY_LIMIT } from '../limits.ts'
import { contextOf } from '../request-context.ts'
import { type BodyPool, makeBodyPool } from './body-pools.ts'
import {
  type BodyWatch,
  bodyTimes,
  type EverySecond,
  everySecond,
  MeteredBody,
  makeBodyWatch,
} from './metered-body.ts'

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
