import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { Logger } from 'pino'
import type { PartOptions, ServerParts } from './extension.ts'
import { type MediaSource, serveImages } from './images.ts'
import {
  type ClientErrors,
  closeIdleConnections,
  collectFirstSegments,
  hasValidHost,
  limitPipelining,
  makeClientErrors,
  readForwardedFor,
  readTargets,
  takeOffBasePath,
} from './lifecycle/connections.ts'
import { addGracefulShutdown, type GracefulShutdown, serveHealth, shedLoad } from './lifecycle/health.ts'
import { addAccessLog, type Metrics, makeMetrics, watchResponses } from './metrics/responses.ts'
import { type ApiOptions, addApi } from './plugin.ts'
import { allowOrigins } from './plugins/cors.ts'
import { serveDocs } from './plugins/docs.ts'
import { reportUnroutableDevices, serveMetrics } from './plugins/metrics.ts'
import { badRequest, ProblemError, UNKNOWN_PATH } from './problems/problem.ts'
import { problemOfError, sendProblem } from './problems/send-problem.ts'
import { endUnread, makeBodyLimits } from './request/metered-body.ts'
import { faultOfQuery, readQuery } from './request/parameters.ts'
import { makeUploadLimits } from './request/uploads.ts'
import { decorateRequest } from './request-context.ts'
import { API_VERSION, SECURITY_HEADERS } from './responses/headers.ts'
import { rejectOtherMethods } from './routes/mounting.ts'
import { BODY_LIMIT, LARGEST_HEAD, LONGEST_SEGMENT } from './settings.ts'

/** The parts and settings of a server. */
export interface ServerOptions extends ApiOptions {
  readonly logger: Logger
  /** The source of the images that are served under `/static/media/` and `/static/portfolio/`. */
  readonly media: MediaSource
  /** The version in the OpenAPI document (I2). */
  readonly version: string
  /** Milliseconds for which one event-loop iteration may serve requests before more are rejected with 503; no limit when absent. */
  readonly maxDelay?: number | undefined
  /** Seconds after which an idle connection is closed, at least 2; 73 when absent. */
  readonly keepAlive?: number | undefined
  /** Addresses or networks of proxies whose `X-Forwarded-For` is trusted; none when absent. */
  readonly trustProxy?: ReadonlyArray<string> | undefined
  /** Origins whose pages may call the API; none when absent. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** Adds tracing, before anything else is added to the application. Then each request passes Fastify. */
  readonly trace?: ((app: FastifyInstance) => Promise<void>) | undefined
  /** Further parts of the server, such as the console. Each is registered as a scope of its own. */
  readonly parts?: ReadonlyArray<FastifyPluginAsync<PartOptions>> | undefined
  /** Whether `/metrics` is served here (I3). */
  readonly metrics: boolean
  /** The metrics that the server adds to, if others add to them too. */
  readonly measures?: Metrics | undefined
  /** Reads the metrics for `/metrics` from several processes; those of this one when absent. */
  readonly readMetrics?: (() => Promise<string>) | undefined
  /**
   * Resolves with what the service cannot do at present, in short public words; rejects with the reason if it cannot serve at all
   * (`/health/ready`).
   */
  readonly ready: () => Promise<ReadonlyArray<string>>
}

/** The server before it listens. */
export interface BuiltServer {
  readonly app: FastifyInstance
  readonly metrics: Metrics
  readonly shutdown: GracefulShutdown
}

/** Milliseconds after which a connection without progress is closed, so that a stalled reader does not hold a snapshot for ever. */
const IDLE_TIMEOUT = 60_000

/** Seconds after which an idle connection is closed: more than usual load balancers wait, which is a minute. */
const KEEP_ALIVE = 73

/** The errors of URLs that the router cannot read. */
type Malformed = WeakMap<IncomingMessage, Error>

const newApp = (
  { trustProxy, keepAlive = KEEP_ALIVE }: ServerOptions,
  clientErrors: ClientErrors,
  malformed: Malformed,
): FastifyInstance =>
  Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: trustProxy === undefined ? false : [...trustProxy],
    bodyLimit: BODY_LIMIT,
    connectionTimeout: IDLE_TIMEOUT,
    // Node closes a connection a second later than it announces, so that no request meets the end.
    keepAliveTimeout: (keepAlive - 1) * 1000,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: LONGEST_SEGMENT,
      querystringParser: readQuery,
    },
    exposeHeadRoutes: true,
    // Node would respond to a request without Host by itself, without a problem. Requests without a body need no stream.
    http: { requireHostHeader: false, maxHeaderSize: LARGEST_HEAD, optimizeEmptyRequests: true },
    // Requests that arrive while the server stops are served like all others: their connection is closed with the response.
    return503OnClosing: false,
    clientErrorHandler: clientErrors.handle,
    // Hooks do not run for URLs that the router cannot read. The request is routed again, so that hooks add header fields, log and count.
    frameworkErrors: (error, { server, raw }, reply) => {
      malformed.set(raw, error)
      raw.url = '/'
      server.routing(raw, reply.raw)
    },
  })

const BAD_HOST = badRequest('Send the header field Host once, with the host and perhaps a port.')

/** Rejects malformed URLs, queries that are too long, and requests without one valid Host. */
const rejectMalformed = (app: FastifyInstance, malformed: Malformed): void => {
  app.addHook('onRequest', ({ raw, query }, _reply, done) => {
    const error = malformed.get(raw) ?? faultOfQuery(query)
    if (error !== undefined) done(error)
    else if (!hasValidHost(raw)) done(new ProblemError(BAD_HOST))
    else done()
  })
}

/** Builds the whole server: API, images, health, metrics and docs. It does not listen yet. */
export const buildServer = async (options: ServerOptions): Promise<BuiltServer> => {
  const { logger, rateLimit, trace, maxDelay, corsOrigins, everySecond, extensions = [] } = options
  const [clientErrors, malformed] = [makeClientErrors(corsOrigins), new WeakMap<IncomingMessage, Error>()]
  const app = newApp(options, clientErrors, malformed)
  const ownSegments = collectFirstSegments(app)
  await trace?.(app)
  const metrics = options.measures ?? makeMetrics()
  decorateRequest(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id, 'api-version': API_VERSION })
    done()
  })
  const bodies = makeBodyLimits(everySecond)
  const isIdle = closeIdleConnections(app.server, clientErrors.owedResponse)
  addAccessLog(app, logger, isIdle)
  watchResponses(app, metrics.add)
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, problemOfError(error)))
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, UNKNOWN_PATH))
  // Ignores an expectation that the server does not know, as RFC 9110 §10.1.1 allows.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  if (corsOrigins !== undefined) await allowOrigins(app, corsOrigins)
  if (maxDelay !== undefined) shedLoad(app, maxDelay, logger)
  rejectMalformed(app, malformed)
  if (options.trustProxy !== undefined)
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      readForwardedFor(raw)
      done()
    })
  rejectOtherMethods(app)
  const shutdown = addGracefulShutdown(app)
  const hasFastPath = rateLimit === undefined && trace === undefined
  const server: ServerParts = {
    logger,
    metrics,
    shutdown,
    isIdle,
    uploads: makeUploadLimits(bodies.watch),
    bodies,
    hasFastPath,
  }
  const api = { ...options, extensions: [reportUnroutableDevices, ...extensions] }
  await app.register((scope) => addApi(scope, api, server))
  serveHealth(app, options.ready, shutdown.isDraining)
  if (options.metrics) serveMetrics(app, metrics, options.readMetrics)
  await serveImages(app, options.media)
  for (const part of options.parts ?? [])
    await app.register(part, { shutdown, uploads: server.uploads, bodies })
  await app.register((docs) => serveDocs(docs, options))
  limitPipelining(app.server)
  takeOffBasePath(app.server, options.baseUrl(), ownSegments)
  readTargets(app.server)
  app.server.on('request', (request, response) => endUnread(bodies.watch, request, response))
  clientErrors.watch(app.server)
  return { app, metrics, shutdown }
}
