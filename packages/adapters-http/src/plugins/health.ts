import type { FastifyInstance } from 'fastify'
import { LIVE_PATH, READY_PATH } from '../paths.ts'
import { busy } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { UNDER_ANY_LOAD } from './load-shedding.ts'
import { NotReady } from './readiness.ts'

/** Serves the health checks: whether the process runs, and whether it can serve requests and will go on to (I3). */
export const serveHealth = (
  app: FastifyInstance,
  ready: () => Promise<ReadonlyArray<string>>,
  isDraining: () => boolean,
): void => {
  const method = ['GET', 'HEAD']
  const config = UNDER_ANY_LOAD
  app.route({ method, config, url: LIVE_PATH, handler: async () => ({ status: 'live' }) })
  app.route({
    method,
    config,
    url: READY_PATH,
    handler: async (request, reply) => {
      try {
        if (isDraining()) throw new Error('the server is about to stop')
        const degraded = await ready()
        return degraded.length === 0 ? { status: 'ready' } : { status: 'ready', degraded }
      } catch (cause) {
        const named =
          cause instanceof NotReady ? { errors: [{ field: cause.reason, message: cause.message }] } : {}
        return sendProblem(request, reply, { ...busy(cause), detail: 'The service is not ready.', ...named })
      }
    },
  })
}
