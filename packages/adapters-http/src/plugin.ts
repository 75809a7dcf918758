import type { Policy, Ports } from '@almoner/domain'
import type { FastifyInstance } from 'fastify'
import type { Extension, ServerParts } from './extension.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { addCatchAlls, rejectOtherMethods } from './plugins/method-not-allowed.ts'
import { limitByClient, type RateLimit } from './plugins/rate-limit.ts'
import { problemOfError, sendProblem } from './problems/send-problem.ts'
import { addBodyParsers } from './request/body-parsers.ts'
import { limitUploads } from './request/upload-limit.ts'
import { decorateRequest } from './request-context.ts'
import { API_VERSION } from './responses/headers.ts'
import { API_ROUTES } from './routes/index.ts'
import { mountRoute } from './routes/mount-route.ts'
import { makeServices } from './services.ts'

const API_HEADERS = { 'api-version': API_VERSION, 'cache-control': 'private, no-cache' }

/** The parts of an API. */
export interface ApiOptions {
  readonly ports: Ports
  readonly policy: Policy
  /** Returns the public URL of the service, without a slash at its end. Called for each response that needs it. */
  readonly baseUrl: () => string
  /** A general limit by client (A8); none when absent. */
  readonly rateLimit?: RateLimit | undefined
  /** Caches and the like, each of which can be left out. */
  readonly extensions?: ReadonlyArray<Extension>
}

/** Adds the API to an application; `server` is the whole server that it is part of, if any. */
export const addApi = async (
  app: FastifyInstance,
  { ports, policy, baseUrl, rateLimit, extensions = [] }: ApiOptions,
  server?: ServerParts,
): Promise<void> => {
  decorateRequest(app)
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, problemOfError(error)))
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(API_HEADERS)
    // With CORS, responses vary by origin already.
    const varies = reply.getHeader('vary')
    reply.header('vary', varies === undefined ? 'Authorization' : [varies, 'Authorization'].flat().join(', '))
    done()
  })
  const paths = server === undefined ? rejectOtherMethods(app) : undefined
  await addBodyParsers(app)
  const services = extensions.reduce(
    (extended, extend) => extend(app, extended, server),
    makeServices(ports, policy),
  )
  const context = {
    services,
    baseUrl,
    // An upload takes up to 10 MiB of memory. Anonymous ones may turn out to have no valid token: they can only hold up each other.
    uploads: { authenticated: limitUploads(12, 100), anonymous: limitUploads(4, 30) },
    afterCaller: await limitByClient(app, rateLimit),
  }
  for (const route of API_ROUTES) mountRoute(app, context, route)
  await app.register(oauthRoutes(services, baseUrl))
  if (paths !== undefined) addCatchAlls(app, paths)
}

/**
 * The API as a Fastify plugin: the interface's endpoints and OAuth, under the prefix it is registered with. The application needs
 * `routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_SEGMENT }` (B3) and `http: { maxHeaderSize: LARGEST_HEAD }`:
 * paths carry device tokens of up to 4,096 characters (F4), which neither Fastify nor Node accepts by default. URLs then hold tokens and
 * emails, so the application must not log them: Fastify's own `logger` does.
 */
export const api = (options: ApiOptions) => (app: FastifyInstance) => addApi(app, options)
