import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Overloaded } from '../problems/overloaded.ts'

/** Milliseconds between two looks at how late the event loop is. */
const SAMPLE = 250

/** Milliseconds from one line of the log to the next, however much is refused meanwhile. */
const SILENCE = 10_000

/** Of a route that answers whatever the load is. */
export const WHATEVER_THE_LOAD = { pressureHandler: () => {} }

/**
 * Refuses requests with 503 while the event loop runs late: by more than `maxDelay` milliseconds, on the mean of a quarter of a second.
 * Refusing takes a fraction of the time of answering, so that what has been taken gets done and the rest is told at once to come again.
 * Routes with {@link WHATEVER_THE_LOAD} answer all the same.
 */
export const refuseWhenOverloaded = async (
  app: FastifyInstance,
  maxDelay: number,
  logger: Logger,
): Promise<void> => {
  let silentUntil = 0
  await app.register(underPressure, {
    maxEventLoopDelay: maxDelay,
    sampleInterval: SAMPLE,
    pressureHandler: async (_request, _reply, _type, delay) => {
      const now = performance.now()
      if (now > silentUntil) {
        silentUntil = now + SILENCE
        logger.warn({ delay: Math.round(Number(delay)) }, 'overloaded: requests are refused')
      }
      throw new Overloaded()
    },
  })
}
