import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { busy, ProblemError } from '../problems/problem.ts'

/** Milliseconds between two lines in the log. */
const LOG_INTERVAL = 10_000

/** Milliseconds of rejecting requests after which some are served again, though the event-loop iteration has not ended. */
const REJECTING = 100

/** For the `config` of a route that responds under any load. */
export const UNDER_ANY_LOAD = { underAnyLoad: true }

declare module 'fastify' {
  interface FastifyContextConfig {
    underAnyLoad?: boolean
  }
}

/**
 * Bounds the time for which one iteration of the event loop serves requests, while all that arrive wait. Nothing else shows overload as
 * early: each request is served as soon as it is read, and the rest waits unseen in the kernel.
 * @param budget and `now` are in milliseconds; `atItsEnd` calls back when all that had arrived before the iteration was read
 * @returns a function that returns whether another request may be served in this iteration
 */
export const makeBudget = (
  budget: number,
  now: () => number,
  atItsEnd: (ended: () => void) => unknown,
): (() => boolean) => {
  let started: number | undefined
  return () => {
    const time = now()
    if (started === undefined) {
      started = time
      atItsEnd(() => {
        started = undefined
      })
      return true
    }
    if (time - started < budget) return true
    if (time - started < budget + REJECTING) return false
    started = time
    return true
  }
}

/**
 * Rejects requests with 503 once serving others has taken `budget` milliseconds of one event-loop iteration. Rejecting takes a small part
 * of the time of serving, so no request waits much longer than that. Routes with {@link UNDER_ANY_LOAD} respond all the same.
 */
export const shedLoad = (app: FastifyInstance, budget: number, logger: Logger): void => {
  const hasRoom = makeBudget(budget, () => performance.now(), setImmediate)
  let silentUntil = 0
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasRoom() || request.routeOptions.config.underAnyLoad === true) return done()
    const now = performance.now()
    if (now > silentUntil) {
      silentUntil = now + LOG_INTERVAL
      logger.warn('overloaded: some requests are refused')
    }
    // The line above stands for all of them.
    return done(new ProblemError(busy(undefined)))
  })
}
