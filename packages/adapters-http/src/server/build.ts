import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance } from 'fastify'
import { SECURITY } from '../answers/security.ts'
import type { ServerOptions } from '../options.ts'
import { problemOfError } from '../problems/of-error.ts'
import { UNKNOWN_PATH } from '../problems/problem.ts'
import { sendProblem } from '../problems/send.ts'
import { readQuery } from '../request/form-body.ts'
import { keepStates } from '../request/state.ts'
import { apiOf, apiParts } from './api.ts'
import { serveDocs } from './docs.ts'
import { answerInFront } from './front.ts'
import { serveHealth } from './health.ts'
import { endIdleConnections } from './idle.ts'
import { BODY_LIMIT, LARGEST_HEAD, LONGEST_SEGMENT } from './limits.ts'
import { logAnswers } from './logging.ts'
import { serveMedia } from './media.ts'
import { refuseBy, watchRoutes } from './methods.ts'
import { type Metrics, makeMetrics, serveMetrics } from './metrics.ts'
import { refuseWhenOverloaded } from './overload.ts'
import { limitPipelining } from './pipelining.ts'
import { refuseEarly, type Unroutable } from './refusals.ts'
import { endConnectionsWhenStopping, type Leaving } from './stopping.ts'
import { type ClientErrors, commonHeaders, makeClientErrors } from './unreadable.ts'
import { reportUnroutable } from './unroutable-devices.ts'

/** The server before it listens, and the figures it keeps. */
export interface BuiltServer {
  readonly app: FastifyInstance
  readonly metrics: Metrics
  readonly leaving: Leaving
}

/** A whole request must have come by then. */
const REQUEST_TIMEOUT = 300_000

/** A connection on which nothing moves is closed: a reader that stalls does not hold a snapshot for ever. */
const IDLE_TIMEOUT = 60_000

const newApp = (
  options: ServerOptions,
  clientErrors: ClientErrors,
  unroutable: Unroutable,
): FastifyInstance =>
  Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT,
    connectionTimeout: IDLE_TIMEOUT,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: LONGEST_SEGMENT,
      querystringParser: readQuery,
    },
    exposeHeadRoutes: true,
    // Node would answer a request without Host by itself, without a problem; refuseEarly does. Requests that have no body are spared the life
    // of a stream.
    http: { requireHostHeader: false, maxHeaderSize: LARGEST_HEAD, optimizeEmptyRequests: true },
    // What comes while the server stops is served like what runs: its connection ends with its answer.
    return503OnClosing: false,
    clientErrorHandler: clientErrors.answer,
    // Hooks do not run for these: the request is routed again, so that they add header fields, log and count, and refuseEarly refuses it.
    frameworkErrors: (error, { server, raw }, reply) => {
      unroutable.set(raw, error)
      raw.url = '/'
      server.routing(raw, reply.raw)
    },
  })

const allow = async (
  app: FastifyInstance,
  origins: NonNullable<ServerOptions['corsOrigins']>,
): Promise<void> => {
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    // OPTIONS is answered by our own routes, with Allow, whoever asks (B3).
    preflightContinue: true,
    strictPreflight: false,
    exposedHeaders: [
      'API-Version',
      'ETag',
      'Idempotency-Replayed',
      'Link',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
    ],
    maxAge: 600,
  })
}

/** Builds the whole server: API, media, health, figures and docs. It does not listen yet. */
export const buildServer = async (options: ServerOptions): Promise<BuiltServer> => {
  const [clientErrors, unroutable] = [makeClientErrors(), new WeakMap<IncomingMessage, Error>()]
  const app = newApp(options, clientErrors, unroutable)
  await options.trace?.(app)
  const metrics = options.measures ?? makeMetrics()
  keepStates(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY).headers(commonHeaders(request.id))
    done()
  })
  const isIdle = endIdleConnections(app.server)
  logAnswers(app, options.logger, isIdle)
  metrics.watch(app)
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, problemOfError(error)))
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, UNKNOWN_PATH))
  // An expectation that the server does not know is passed over, as RFC 9110 §10.1.1 allows.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  if (options.corsOrigins !== undefined) await allow(app, options.corsOrigins)
  if (options.maxDelay !== undefined) refuseWhenOverloaded(app, options.maxDelay, options.logger)
  refuseEarly(app, refuseBy(app, watchRoutes(app)), unroutable)
  const leaving = endConnectionsWhenStopping(app)
  const parts = apiParts(options, metrics.lookups, reportUnroutable(metrics, options.logger))
  await app.register(apiOf(parts))
  serveHealth(app, options.ready, leaving.isAnnounced)
  if (options.metrics) serveMetrics(app, metrics, options.readMetrics)
  await serveMedia(app, options.media)
  await app.register((docs) => serveDocs(docs, options))
  // Where requests are counted or traced, each has to be.
  const eachIsSeen = options.rateLimit !== undefined || options.trace !== undefined
  if (!eachIsSeen && (options.keep?.bytes ?? 0) > 0)
    answerInFront(app, { keeping: parts.keeping, logger: options.logger, metrics, leaving, isIdle })
  limitPipelining(app.server)
  clientErrors.watch(app.server)
  return { app, metrics, leaving }
}
