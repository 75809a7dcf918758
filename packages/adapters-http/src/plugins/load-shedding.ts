import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Overloaded } from '../problems/overloaded.ts'
import { makeTurn } from './event-loop-budget.ts'

/** Milliseconds from one line of the log to the next, however much is refused meanwhile. */
const SILENCE = 10_000

/** For the `config` of a route that answers whatever the load is. */
export const WHATEVER_THE_LOAD = { whateverTheLoad: true }

declare module 'fastify' {
  interface FastifyContextConfig {
    whateverTheLoad?: boolean
  }
}

/**
 * Refuses requests with 503 once `most` milliseconds of one turn of the event loop have gone into answering others. Refusing takes a small part
 * of the time of answering, so that nobody waits much longer than that, and whoever is refused is told at once to come again. Routes with
 * {@link WHATEVER_THE_LOAD} answer all the same.
 */
export const refuseWhenOverloaded = (app: FastifyInstance, most: number, logger: Logger): void => {
  const turn = makeTurn(most, () => performance.now(), setImmediate)
  let silentUntil = 0
  app.addHook('onRequest', (request, _reply, done) => {
    if (turn.hasRoom() || request.routeOptions.config.whateverTheLoad === true) return done()
    const now = performance.now()
    if (now > silentUntil) {
      silentUntil = now + SILENCE
      logger.warn('overloaded: some requests are refused')
    }
    return done(new Overloaded())
  })
}
