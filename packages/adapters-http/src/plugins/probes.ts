import Fastify, { type FastifyInstance } from 'fastify'
import { busy } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { serveHealth } from './health.ts'

/** Answers health checks while a service cannot open yet. */
export interface Probes {
  /** Begins to answer, if it does not yet. */
  readonly answer: () => void
  /** Resolves when the port is free for the service. */
  readonly close: () => Promise<void>
}

const listen = async (place: { readonly host: string; readonly port: number }): Promise<FastifyInstance> => {
  const app = Fastify({ forceCloseConnections: true })
  const waiting = busy(new Error('the service is not open yet'))
  const ready = async () => {
    throw waiting.cause
  }
  serveHealth(app, ready, () => false)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, waiting))
  await app.listen(place)
  return app
}

/**
 * Makes the probes of a service that waits, as for its migration: it is live, not ready, and everything else is 503 with `Retry-After` (I3). So a
 * host neither ends the process nor sends it requests. Where it cannot listen, which the service reports later, nothing is answered.
 */
export const makeProbes = (place: { readonly host: string; readonly port: number }): Probes => {
  let app: Promise<FastifyInstance | undefined> | undefined
  return {
    answer: () => {
      app ??= listen(place).catch(() => undefined)
    },
    close: async () => {
      await (await app)?.close()
    },
  }
}
