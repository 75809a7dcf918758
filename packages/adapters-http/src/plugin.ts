import type { Policy, Ports } from '@almoner/domain'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import type { Extension, ServerParts } from './extension.ts'
import { embedImages, type MediaSource } from './images.ts'
import { readHead } from './lifecycle/connections.ts'
import { addDiscovery, addOAuthRoutes } from './oauth.ts'
import {
  addRouteSchemas,
  checkOptions,
  checkServerSettings,
  LOG_SERIALIZERS,
  logFault,
} from './plugins/embedding.ts'
import { limitByClient, type RateLimit } from './plugins/rate-limit.ts'
import { UNKNOWN_PATH } from './problems/problem.ts'
import { problemOfError, sendProblem } from './problems/send-problem.ts'
import { tokenCallers } from './request/authentication.ts'
import { addBodyParsers, limitLongReads } from './request/body-parsers.ts'
import { type EverySecond, endUnread, makeBodyLimits } from './request/metered-body.ts'
import { makeUploadLimits } from './request/uploads.ts'
import { decorateRequest, type OnFault } from './request-context.ts'
import { API_VERSION } from './responses/headers.ts'
import { makeServices } from './route.ts'
import { API_ROUTES } from './routes/index.ts'
import { addCatchAlls, mountRoute, rejectOtherMethods } from './routes/mounting.ts'
import { DOCS_PATH } from './settings.ts'

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
  /** Caches and the like, each of which can be left out. */
  readonly extensions?: ReadonlyArray<Extension>
}

/** Adds the API to an application; `server` is the whole server that it is part of, if any. */
export const addApi = async (
  app: FastifyInstance,
  { ports, policy, baseUrl, rateLimit, everySecond, extensions = [] }: ApiOptions,
  server?: ServerParts,
): Promise<void> => {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(API_HEADERS)
    // With CORS, responses vary by origin already.
    const varies = reply.getHeader('vary')
    reply.header('vary', varies === undefined ? 'Authorization' : [varies, 'Authorization'].flat().join(', '))
    done()
  })
  const bodies = server?.bodies ?? makeBodyLimits(everySecond)
  if (server === undefined)
    app.addHook('onRequest', ({ raw }, reply, done) => {
      endUnread(bodies.watch, raw, reply.raw)
      done()
    })
  await addBodyParsers(app, bodies)
  const plain = makeServices(ports, policy)
  const services = extensions.reduce((extended, extend) => extend(app, extended, server), plain)
  const context = {
    services,
    callers: tokenCallers({
      authenticate: services.access.authenticate,
      authenticateInStore: plain.access.authenticate,
      clock: ports.clock,
    }),
    baseUrl,
    uploads: server?.uploads ?? makeUploadLimits(bodies.watch),
    enterLongRead: limitLongReads(),
    afterCaller: await limitByClient(app, rateLimit),
  }
  for (const route of API_ROUTES) mountRoute(app, context, route)
  // Only the whole server has a documentation page.
  const documentation = server === undefined ? undefined : DOCS_PATH
  await app.register(async (scope) => addOAuthRoutes(scope, services, baseUrl, documentation))
}

/** The options of {@link almonerPlugin}. */
export interface AlmonerPluginOptions extends Pick<ApiOptions, 'rateLimit' | 'everySecond' | 'extensions'> {
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
  { images, onFault = logFault, ...api }: ApiOptions & Pick<AlmonerPluginOptions, 'images' | 'onFault'>,
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
