import type { FastifyInstance } from 'fastify'
import type { ServerOptions } from '../options.ts'
import { LIVE_PATH, READY_PATH } from '../paths.ts'
import { busy } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'
import { WHATEVER_THE_LOAD } from './load-shedding.ts'

/** What a server that is about to stop says of itself. */
const LEAVING = new Error('the server is about to stop')

/** Whether the process runs, and whether it can do its work and will go on doing it (I3). */
export const serveHealth = (
  app: FastifyInstance,
  ready: ServerOptions['ready'],
  isLeaving: () => boolean,
): void => {
  const method = ['GET', 'HEAD']
  const config = WHATEVER_THE_LOAD
  app.route({ method, config, url: LIVE_PATH, handler: async () => ({ status: 'live' }) })
  app.route({
    method,
    config,
    url: READY_PATH,
    handler: async (request, reply) => {
      try {
        if (isLeaving()) throw LEAVING
        const degraded = await ready()
        return degraded.length === 0 ? { status: 'ready' } : { status: 'ready', degraded }
      } catch (cause) {
        return sendProblem(request, reply, { ...busy(cause), detail: 'The service is not ready.' })
      }
    },
  })
}
