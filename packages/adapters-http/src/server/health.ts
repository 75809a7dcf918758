import type { FastifyInstance } from 'fastify'
import { busy } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'

/** Whether the process runs, and whether it can do its work (I3). */
export const serveHealth = (app: FastifyInstance, ready: () => Promise<void>): void => {
  const method = ['GET', 'HEAD']
  app.route({ method, url: '/health/live', handler: async () => ({ status: 'live' }) })
  app.route({
    method,
    url: '/health/ready',
    handler: async (request, reply) => {
      try {
        await ready()
        return { status: 'ready' }
      } catch (cause) {
        return sendProblem(request, reply, { ...busy(cause), detail: 'The service is not ready.' })
      }
    },
  })
}
