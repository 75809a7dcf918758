import { request } from 'node:http'
import { Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import type { Logger } from 'pino'
import { busy, ProblemError } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { LIVE_PATH, READY_PATH } from '../settings.ts'

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

/** Why a service is not ready, as its callers may know it: a name that stays, and a sentence. The `cause` is for the log only. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
  readonly reason: string

  constructor(reason: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** Milliseconds for an answer. */
const PATIENCE = 5000

const answerOf = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    // An agent might go through a proxy.
    const options = { agent: false, signal: AbortSignal.timeout(PATIENCE) }
    request(url, options, (response) => text(response).then(resolve, reject))
      .on('error', reject)
      .end()
  })

const namesIn = (body: string): ReadonlyArray<string> => {
  const { errors } = Object(JSON.parse(body)) as { readonly errors?: unknown }
  return Array.isArray(errors) ? errors.map((error) => String(Object(error).field)) : []
}

/** Asks the server on a port for the reasons why it is not ready. None if no server, or another one, is there. @throws Error if it does not answer */
export const reasonsNotReady = async (url: string): Promise<ReadonlyArray<string>> => {
  try {
    return namesIn(await answerOf(`${url}${READY_PATH}`))
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'AbortError') throw new Error('no answer within 5 s')
    return []
  }
}

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

/** The steps of a graceful shutdown, before the server is closed. Each may be left out. */
export interface GracefulShutdown {
  /** Reports the server as not ready (I3) and closes each connection with its next response. Requests are served as before. */
  readonly startDraining: () => void
  /**
   * Accepts no more connections. Open ones stay until their next response is sent or their client closes them, so that no request meets a
   * connection that is being closed. Resolves when the last is closed.
   */
  readonly stopAccepting: () => Promise<void>
  /** Returns whether the server is draining. */
  readonly isDraining: () => boolean
  /** Returns whether each connection is closed with its next response. */
  readonly isEnding: () => boolean
  /** Registers a function that is called once, when connections begin to be closed: responses without an end have to end then. */
  readonly onEnding: (listener: () => void) => void
  /** Has to be called after each response that is sent without Fastify. */
  readonly afterResponse: () => void
}

/**
 * Returns a function that closes connections on which nothing has arrived yet, as browsers open them in advance. Node 24 waits a minute for
 * each when a server is closed.
 */
const unusedConnections = (server: Server): (() => void) => {
  const open = new Set<Socket>()
  // One listener for all: thousands of connections may wait (N4).
  const forget = function (this: Socket): void {
    open.delete(this)
  }
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', forget)
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

/**
 * Adds the hooks that close each connection with the response under way when the server stops, so that stopping takes no longer than the
 * requests that run. Fastify itself closes idle connections.
 */
export const addGracefulShutdown = (app: FastifyInstance): GracefulShutdown => {
  let [draining, ending, stopping] = [false, false, false]
  const listeners = new Set<() => void>()
  const end = () => {
    ending = true
    for (const listener of listeners) listener()
    listeners.clear()
  }
  let ended: Promise<void> | undefined
  const closeUnused = unusedConnections(app.server)
  app.addHook('preClose', async () => {
    end()
    stopping = true
    closeUnused()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (ending) reply.header('Connection', 'close')
    done(null, payload)
  })
  // Responses whose header fields had been sent before could not close their connection.
  const afterResponse = () => {
    if (stopping) setImmediate(() => app.server.closeIdleConnections())
  }
  app.addHook('onResponse', (_request, _reply, done) => {
    afterResponse()
    done()
  })
  // Fastify would not wait for requests that run on a server that no longer listens.
  app.addHook('onClose', () => ended)
  return {
    startDraining: () => {
      draining = true
      end()
    },
    stopAccepting: () => {
      end()
      // The HTTP server's own `close` would also close idle connections, on which a request may be on its way.
      ended ??= new Promise((resolve) => {
        Server.prototype.close.call(app.server, () => resolve())
      })
      return ended
    },
    isDraining: () => draining,
    isEnding: () => ending,
    onEnding: (listener) => {
      listeners.add(listener)
    },
    afterResponse,
  }
}
