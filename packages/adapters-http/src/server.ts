import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cors from '@fastify/cors'
import Fastify, { type FastifyInstance } from 'fastify'
import { serveMedia } from './images/images.ts'
import { type ClientErrors, commonHeaders, makeClientErrors } from './lifecycle/client-error.ts'
import { endConnectionsWhenStopping, type Leaving } from './lifecycle/graceful-shutdown.ts'
import { endIdleConnections } from './lifecycle/idle-connections.ts'
import { limitPipelining } from './lifecycle/pipelining.ts'
import { BODY_LIMIT, LARGEST_HEAD, LONGEST_SEGMENT } from './limits.ts'
import { type Metrics, makeMetrics, serveMetrics } from './metrics/metrics.ts'
import type { ServerOptions } from './options.ts'
import { apiOf, apiParts } from './plugin.ts'
import { logAnswers } from './plugins/access-log.ts'
import { serveDocs } from './plugins/docs.ts'
import { serveHealth } from './plugins/health.ts'
import { refuseWhenOverloaded } from './plugins/load-shedding.ts'
import { refuseBy, watchRoutes } from './plugins/method-not-allowed.ts'
import { refuseEarly, type Unroutable } from './plugins/reject-early.ts'
import { answerInFront } from './plugins/response-cache/fast-path.ts'
import { reportUnroutable } from './plugins/unroutable-devices.ts'
import { UNKNOWN_PATH } from './problems/problem.ts'
import { problemOfError } from './problems/problem-of-error.ts'
import { sendProblem } from './problems/send.ts'
import { readQuery } from './request/form-body.ts'
import { keepStates } from './request-context.ts'
import { SECURITY } from './responses/security-headers.ts'

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
