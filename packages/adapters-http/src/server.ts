import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Policy, Ports } from '@almoner/domain'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import type { Logger } from 'pino'
import type { Extension, PartOptions, ServerParts } from './extension.ts'
import { embedImages, type MediaSource, serveImages } from './images.ts'
import {
  type ClientErrors,
  closeIdleConnections,
  collectFirstSegments,
  hasValidHost,
  limitPipelining,
  makeClientErrors,
  readForwardedFor,
  readHead,
  readTargets,
  takeOffBasePath,
} from './lifecycle/connections.ts'
import { addGracefulShutdown, type GracefulShutdown, serveHealth, shedLoad } from './lifecycle/health.ts'
import { addAccessLog, type Metrics, makeMetrics, watchResponses } from './metrics/responses.ts'
import { addDiscovery, addOAuthRoutes } from './oauth.ts'
import { allowOrigins } from './plugins/cors.ts'
import { serveDocs } from './plugins/docs.ts'
import {
  addRouteSchemas,
  checkOptions,
  checkServerSettings,
  LOG_SERIALIZERS,
  logFault,
} from './plugins/embedding.ts'
import { reportUnroutableDevices, serveMetrics } from './plugins/metrics.ts'
import { limitByClient, type RateLimit } from './plugins/rate-limit.ts'
import { badRequest, ProblemError, UNKNOWN_PATH } from './problems/problem.ts'
import { problemOfError, sendProblem } from './problems/send-problem.ts'
import { tokenCallers } from './request/authentication.ts'
import { addBodyParsers, limitLongReads } from './request/body-parsers.ts'
import { type HostCallerOptions, namedCallers } from './request/host-callers.ts'
import { type EverySecond, endUnread, makeBodyLimits } from './request/metered-body.ts'
import { faultOfQuery, readQuery } from './request/parameters.ts'
import { makeUploadLimits } from './request/uploads.ts'
import { decorateRequest, markWholeServer, type OnFault } from './request-context.ts'
import { API_VERSION, SECURITY_HEADERS } from './responses/headers.ts'
import { makeServices } from './route.ts'
import { API_ROUTES } from './routes/index.ts'
import { addCatchAlls, mountRoute, rejectOtherMethods } from './routes/mounting.ts'
import { BODY_LIMIT, DOCS_PATH, LARGEST_HEAD, LONGEST_SEGMENT } from './settings.ts'
import type { WaitLimits } from './waits.ts'

const API_HEADERS = { 'api-version': API_VERSION, 'cache-control': 'private, no-cache' }

/** The parts of an API. */
export interface ApiOptions {
  readonly ports: Ports
  readonly policy: Policy
  /** Returns the public URL of the service, without a slash at its end. Called for each response that needs it. */
  readonly baseUrl: () => string
  /** A general limit by client (A8); none when absent. */
  readonly rateLimit?: RateLimit | undefined
  /** Replaces the clock that counts the seconds of bodies (A9): calls its argument once a second, until the returned function is called. */
  readonly everySecond?: EverySecond | undefined
  /** How many requests may wait for changes (N4). */
  readonly waits?: WaitLimits | undefined
  /** Caches and the like, each of which can be left out. */
  readonly extensions?: ReadonlyArray<Extension>
}

/** Adds the API to an application; `server` is the whole server that it is part of, if any. */
export const addApi = async (
  app: FastifyInstance,
  {
    ports,
    policy,
    baseUrl,
    rateLimit,
    everySecond,
    waits,
    extensions = [],
    ...host
  }: ApiOptions & HostCallerOptions,
  server?: ServerParts,
): Promise<void> => {
  const credentials = host.callerOf === undefined ? 'Authorization' : 'Authorization, Cookie'
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(API_HEADERS)
    // With CORS, responses vary by origin already.
    const varies = reply.getHeader('vary')
    reply.header('vary', varies === undefined ? credentials : [varies, credentials].flat().join(', '))
    done()
  })
  const bodies = server?.bodies ?? makeBodyLimits(everySecond)
  if (server === undefined)
    app.addHook('onRequest', ({ raw }, reply, done) => {
      endUnread(bodies.watch, raw, reply.raw)
      done()
    })
  await addBodyParsers(app, bodies)
  const plain = makeServices(ports, policy, undefined, waits)
  if (server === undefined) app.addHook('preClose', async () => plain.waits.end())
  else {
    server.shutdown.onEnding(plain.waits.end)
    server.metrics.showWaiting(plain.waits.waiting)
  }
  const services = extensions.reduce((extended, extend) => extend(app, extended, server), plain)
  const context = {
    services,
    callers: tokenCallers({
      authenticate: services.access.authenticate,
      authenticateInStore: plain.access.authenticate,
      clock: ports.clock,
      named: namedCallers(host, baseUrl),
    }),
    baseUrl,
    uploads: server?.uploads ?? makeUploadLimits(bodies.watch),
    enterLongRead: limitLongReads(),
    afterCaller: limitByClient(rateLimit),
  }
  for (const route of API_ROUTES) mountRoute(app, context, route)
  // Only the whole server has a documentation page.
  const documentation = server === undefined ? undefined : DOCS_PATH
  await app.register(async (scope) => addOAuthRoutes(scope, services, baseUrl, documentation))
}

/** The options of {@link almonerPlugin}. */
export interface AlmonerPluginOptions
  extends HostCallerOptions,
    Pick<ApiOptions, 'rateLimit' | 'everySecond' | 'waits' | 'extensions'> {
  /** The ports and the policy of the service, and optionally its stored images. */
  readonly almoner: Pick<ApiOptions, 'ports' | 'policy'> & { readonly images?: MediaSource | undefined }
  /** The path below which the API is, such as `/charity`; the root of the application when absent. */
  readonly prefix?: string
  /** The public URL of the application, without the prefix. A function is called whenever it is needed. */
  readonly baseUrl: string | (() => string)
  /**
   * The stored images, by default those of `almoner`; without any, none are served. `mediaAddressesBelow` makes their URLs, and needs
   * `baseUrl` with the prefix.
   */
  readonly images?: MediaSource | undefined
  /** Reports the cause of a 500 or 503. By default it is logged by `request.log.error`, without values of the request (A5). */
  readonly onFault?: OnFault | undefined
}

/** Adds everything that is under the prefix, to a separate scope. */
const addUnderPrefix = async (
  app: FastifyInstance,
  {
    images,
    onFault = logFault,
    ...api
  }: ApiOptions & HostCallerOptions & Pick<AlmonerPluginOptions, 'images' | 'onFault'>,
): Promise<void> => {
  decorateRequest(app, onFault)
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, problemOfError(error)))
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('api-version', API_VERSION)
    done()
  })
  app.addHook('onRequest', readHead)
  addRouteSchemas(app, () => `${api.baseUrl()}${app.prefix}`)
  const paths = rejectOtherMethods(app)
  await app.register((scope) => addApi(scope, api))
  if (images !== undefined) await app.register((scope) => embedImages(scope, images))
  addCatchAlls(app, paths)
  // At the root of an application, unknown paths are the application's.
  if (app.prefix !== '') app.setNotFoundHandler((request, reply) => sendProblem(request, reply, UNKNOWN_PATH))
}

/** Returns a URL or path without slashes at its end. */
const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/**
 * The service as one Fastify plugin: the interface's endpoints, OAuth with its metadata (RFC 8414), and the stored images, all under a
 * prefix. Everything within the prefix responds with problems (I1), and paths work with and without a slash at the end (B3). The
 * application's hooks run for these routes too; its validation, error handler and body parsers do not.
 *
 * Register it at the root of the application, where OAuth clients look for the metadata. The application needs `routerOptions:
 * { maxParamLength: LONGEST_SEGMENT }` and `http: { maxHeaderSize: LARGEST_HEAD }` (F4): registration rejects with an Error that names each
 * setting and option that is wrong.
 * @example await app.register(almonerPlugin, { almoner: { ports, policy: DEFAULT_POLICY }, prefix: '/charity', baseUrl })
 */
export const almonerPlugin: FastifyPluginAsync<AlmonerPluginOptions> = fp(
  async (app: FastifyInstance, given: AlmonerPluginOptions) => {
    checkOptions(given)
    checkServerSettings(app)
    const { almoner, baseUrl, ...rest } = given
    const prefix = withoutSlash(given.prefix ?? '')
    const base = typeof baseUrl === 'string' ? () => withoutSlash(baseUrl) : baseUrl
    const { ports, policy, images } = almoner
    const options = { images, ...rest, ports, policy, baseUrl: base }
    await app.register((scope: FastifyInstance) => addUnderPrefix(scope, options), {
      prefix,
      logSerializers: LOG_SERIALIZERS,
    })
    if (app.prefix === '' && prefix !== '') addDiscovery(app, () => `${base()}${prefix}`, undefined)
  },
  { name: '@almoner/adapters-http', fastify: '5.x' },
)

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
  const app = markWholeServer(newApp(options, clientErrors, malformed))
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
