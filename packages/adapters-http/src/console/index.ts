/**
 * The console over HTTP: pages for managers, and the routes of the API by session (M2 to M6). A service that does not register it has none of it.
 * @module @almoner/adapters-http/console
 */

import type { Policy, Ports } from '@almoner/domain'
import {
  type IdentityProvider,
  makeFindSession,
  type PasskeyChecker,
  type PasswordChecker,
} from '@almoner/domain/managers'
import type { Host } from '@almoner/domain/operations'
import type { OpenPortfolio } from '@almoner/domain/portfolio'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { PartOptions } from '../extension.ts'
import { readHead } from '../lifecycle/connections.ts'
import { logFault } from '../plugins/embedding.ts'
import { limitByClient, type RateLimit } from '../plugins/rate-limit.ts'
import { UNKNOWN_PATH } from '../problems/problem.ts'
import { problemOfError, sendProblem } from '../problems/send-problem.ts'
import { addBodyParsers, limitLongReads } from '../request/body-parsers.ts'
import { makeBodyLimits } from '../request/metered-body.ts'
import { makeUploadLimits, makeWithFiles } from '../request/uploads.ts'
import { decorateRequest } from '../request-context.ts'
import { API_VERSION, SECURITY_HEADERS } from '../responses/headers.ts'
import { respondWithProgress } from '../responses/progress.ts'
import { makeServices } from '../route.ts'
import { API_ROUTES } from '../routes/index.ts'
import { mountRoute } from '../routes/mounting.ts'
import { CONSOLE_PATH } from '../settings.ts'
import { rejectCrossSite, type SessionParts, sessionCallers } from './callers.ts'
import { addEvents, type ChangeParts } from './events.ts'
import { addOidcSignIn } from './oidc.ts'
import { addPages, type PageParts } from './pages.ts'
import { addOwnPasskeys, addPasskeySignIn, addSignInMethods } from './passkeys.ts'
import { addOwnPassword, addPasswordSignIn } from './passwords.ts'
import { CONSOLE_ROUTES } from './routes/index.ts'
import { addSessionRoutes } from './session-routes.ts'
import { addOwnWaitingFeed, addWaitingFeed } from './waiting-feed.ts'

export type { ChangeParts } from './events.ts'
export type { ConsoleAsset, ConsoleAssets } from './pages.ts'
export { consoleDocument, contentSecurity } from './pages.ts'
export { CONSOLE_ROUTES } from './routes/index.ts'

/** The parts of a console. */
export interface ConsoleOptions extends Pick<PageParts, 'assets' | 'imageOrigins' | 'baseUrl'> {
  readonly ports: Ports
  readonly policy: Policy
  /** Checks passkeys; without it the console offers none (M3). */
  readonly passkeys?: PasskeyChecker | undefined
  /** Signs managers in by OpenID Connect; without it the console offers none (M3). */
  readonly identityProvider?: IdentityProvider | undefined
  /** Checks passwords with codes; without it the console offers none (M3). */
  readonly passwords?: PasswordChecker | undefined
  /** Reads uploaded portfolios: `openPortfolioUpload()` of `@almoner/adapters-node/files`. */
  readonly openPortfolio: OpenPortfolio
  /** A general limit by manager (A8); none when absent. */
  readonly rateLimit?: RateLimit | undefined
  /** What the program knows of itself, for operators; without it they see the checks of the store alone. */
  readonly host?: Host
  /** Reports changes of data, so that open pages ask again; without it they never do by themselves. */
  readonly changes?: ChangeParts
}

const NO_CHANGES: ChangeParts = { version: () => 0 }

const API_HEADERS = { 'api-version': API_VERSION, 'cache-control': 'private, no-cache', vary: 'Cookie' }

/**
 * Adds the API once more, for callers with a session (M5). No extension is applied: a response cache would key these responses by their
 * URL alone, and serve them to callers without a session.
 */
const sessionApi =
  (
    options: ConsoleOptions,
    parts: SessionParts,
    { shutdown, bodies = makeBodyLimits(), uploads = makeUploadLimits(bodies.watch) }: PartOptions,
  ): FastifyPluginAsync =>
  async (app) => {
    const { ports, policy, openPortfolio, host, rateLimit, changes = NO_CHANGES } = options
    app.addHook('onRequest', ({ routeOptions: { config } }, reply, done) => {
      reply.headers(
        config.route?.confidential ? { ...API_HEADERS, 'cache-control': 'no-store' } : API_HEADERS,
      )
      done()
    })
    app.addHook('onRequest', rejectCrossSite(parts.baseUrl))
    const onEnding = (listener: () => void) => shutdown?.onEnding(listener)
    await addBodyParsers(app, bodies)
    const context = {
      services: makeServices(ports, policy, host),
      callers: sessionCallers(parts),
      baseUrl: parts.baseUrl,
      uploads,
      enterLongRead: limitLongReads(),
      files: { open: makeWithFiles(openPortfolio, bodies.watch), respond: respondWithProgress },
      afterCaller: limitByClient(rateLimit),
    }
    for (const route of [...API_ROUTES, ...CONSOLE_ROUTES]) mountRoute(app, context, route)
    addSessionRoutes(app, ports, policy, parts)
    addOwnWaitingFeed(app, { ...parts, ports, policy })
    const { passkeys, identityProvider, passwords } = options
    if (passkeys !== undefined) {
      addOwnPasskeys(app, { ...parts, ports, policy }, passkeys)
      addPasskeySignIn(app, { ...parts, ports, policy }, passkeys)
    }
    if (identityProvider !== undefined) addOidcSignIn(app, { ...parts, ports, policy }, identityProvider)
    if (passwords !== undefined) {
      addOwnPassword(app, { ...parts, ports, policy }, passwords)
      addPasswordSignIn(app, { ...parts, ports, policy }, passwords)
    }
    addSignInMethods(app, () => [
      ...(passkeys?.isPossible() ? ['passkey'] : []),
      ...(identityProvider === undefined ? [] : ['oidc']),
      ...(passwords === undefined ? [] : ['password']),
    ])
    addEvents(app, { ...parts, ports, changes, onEnding })
    app.all('/*', async (request, reply) => sendProblem(request, reply, UNKNOWN_PATH))
  }

/** Adds the parts that a whole server has already, for an application that registers the console itself. */
const addBasics = (app: FastifyInstance): void => {
  decorateRequest(app, logFault)
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, problemOfError(error)))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id })
    done()
  })
  app.addHook('onRequest', readHead)
}

/**
 * Makes the console as a part of a server or of another application, under `/console` (M1). An application needs the router settings that
 * `almonerPlugin` names.
 * @example await app.register(consoleOf({ ports, policy, openPortfolio: openPortfolioUpload(), baseUrl: () => baseUrl, assets: readConsole }))
 */
export const consoleOf =
  (options: ConsoleOptions): FastifyPluginAsync<PartOptions> =>
  async (app, given) => {
    const { ports, policy, baseUrl } = options
    addBasics(app)
    const parts = { baseUrl, findSession: makeFindSession(ports, policy), now: () => ports.clock.now() }
    await app.register(sessionApi(options, parts, given), { prefix: `${CONSOLE_PATH}/api` })
    await app.register(async (scope) => addWaitingFeed(scope, options), { prefix: CONSOLE_PATH })
    await app.register(async (scope) => addPages(scope, { ...options, ...parts }), { prefix: CONSOLE_PATH })
  }
