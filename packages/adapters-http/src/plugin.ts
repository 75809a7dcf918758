import type { FastifyInstance } from 'fastify'
import { type Lookups, noLookups } from './metrics/cache-lookups.ts'
import { oauthRoutes } from './oauth/routes.ts'
import type { ServerOptions } from './options.ts'
import { answerOtherMethods, watchRoutes } from './plugins/method-not-allowed.ts'
import { limitByClient } from './plugins/rate-limit.ts'
import { type Keeping, keepAnswers, keepNothing } from './plugins/response-cache/response-cache.ts'
import { type OnUnroutable, watchAttaching } from './plugins/unroutable-devices.ts'
import { problemOfError } from './problems/problem-of-error.ts'
import { sendProblem } from './problems/send.ts'
import { addBodyParsers } from './request/body-parsers.ts'
import { makeSlots } from './request/upload-limit.ts'
import { keepStates } from './request-context.ts'
import { API_ROUTES } from './routes/index.ts'
import { mount } from './routes/mount.ts'
import { makeServices, type Services } from './services.ts'
import { API_VERSION } from './version.ts'

const API_HEADERS = { 'api-version': API_VERSION, 'cache-control': 'private, no-cache' }

/**
 * Uploads read into memory at once, each up to 10 MiB, and how many more may wait. Who shows a token only in the body may turn out to be
 * nobody at the end of it: such uploads have places of their own, which they can keep from each other only.
 */
const UPLOADS = { ofCallers: { atOnce: 12, waiting: 100 }, ofStrangers: { atOnce: 4, waiting: 30 } }

/** What the API itself needs of {@link ServerOptions}. */
export type ApiOptions = Pick<ServerOptions, 'ports' | 'policy' | 'baseUrl' | 'rateLimit' | 'keep'>

/** What the API is made of. */
export interface ApiParts extends Pick<ServerOptions, 'baseUrl' | 'rateLimit'> {
  readonly services: Services
  readonly keeping: Keeping
}

/**
 * The parts of an API. `lookups` is raised as answers are looked for among those kept; `onUnroutable` is called for devices to which nothing
 * can be sent.
 */
export const apiParts = (
  { ports, policy, keep, baseUrl, rateLimit: limit }: ApiOptions,
  lookups: Lookups = noLookups(),
  onUnroutable: OnUnroutable = () => {},
): ApiParts => {
  const services = watchAttaching(makeServices(ports, policy), onUnroutable)
  const keeping = keep === undefined ? keepNothing(services) : keepAnswers(services, keep, lookups)
  return { services, keeping, baseUrl, rateLimit: limit }
}

/** As {@link api}, of parts that others know too. */
export const apiOf =
  ({ services, keeping, baseUrl, rateLimit: limit }: ApiParts) =>
  async (app: FastifyInstance): Promise<void> => {
    keepStates(app)
    const known = watchRoutes(app)
    app.setErrorHandler((error, request, reply) => sendProblem(request, reply, problemOfError(error)))
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(API_HEADERS)
      // Whoever allows other origins has said already that answers vary by them.
      const varies = reply.getHeader('vary')
      reply.header(
        'vary',
        varies === undefined ? 'Authorization' : [varies, 'Authorization'].flat().join(', '),
      )
      done()
    })
    await addBodyParsers(app)
    const context = {
      services,
      keeping,
      baseUrl,
      slots: { ofCallers: makeSlots(UPLOADS.ofCallers), ofStrangers: makeSlots(UPLOADS.ofStrangers) },
      afterCaller: await limitByClient(app, limit),
    }
    for (const route of API_ROUTES) mount(app, context, route)
    await app.register(oauthRoutes(services, baseUrl))
    answerOtherMethods(app, known)
  }

/**
 * The API as a Fastify plugin: the interface's endpoints and OAuth, under the prefix it is registered with. The application needs
 * `routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_SEGMENT }` (B3) and `http: { maxHeaderSize: LARGEST_HEAD }`:
 * paths carry device tokens of up to 4,096 characters (F4), which neither Fastify nor Node lets through by default. Addresses then
 * hold tokens and emails, so that it must not log them: Fastify's own `logger` does.
 */
export const api = (options: ApiOptions) => apiOf(apiParts(options))
