import { type Credentials, SCOPES } from '@almoner/domain/access'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { addRoute } from '../add-route.ts'
import { OAUTH_BODY_LIMIT } from '../limits.ts'
import { METADATA_PATH, REVOKE_PATH, TOKEN_PATH } from '../paths.ts'
import { PROBLEMS } from '../problems/catalogue.ts'
import { problemOfError } from '../problems/send-problem.ts'
import { recordFault } from '../request-context.ts'
import type { Services } from '../services.ts'
import {
  invalidRequest,
  type OAuthError,
  OAuthFault,
  oauthErrorOf,
  UNREADABLE_TYPE,
  UNSUPPORTED_GRANT,
} from './errors.ts'
import { type Form, readCredentials, readForm } from './read.ts'

const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

const sendError = (request: FastifyRequest, reply: FastifyReply, error: OAuthError): FastifyReply => {
  if (error.cause !== undefined) recordFault(request, error.cause)
  return reply
    .code(error.status)
    .headers({ ...error.headers, ...NO_STORE })
    .send({ error: error.error, error_description: error.description })
}

/** Responds with an error; throws it if it is a fault of the service. */
const respondWithError = (request: FastifyRequest, reply: FastifyReply, error: OAuthError): FastifyReply => {
  if (error.cause !== undefined) throw new OAuthFault(error)
  return sendError(request, reply, error)
}

/** An OAuth endpoint: `check` returns the errors of the form, `work` creates the response. */
interface Endpoint {
  readonly check: (form: Form) => OAuthError | undefined
  readonly work: (form: Form, credentials: Credentials) => Promise<E.Either<OAuthError, object | undefined>>
}

const handling =
  ({ check, work }: Endpoint) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = readForm(request)
    if (E.isLeft(form)) return sendError(request, reply, form.left)
    const wrong = check(form.right)
    if (wrong !== undefined) return sendError(request, reply, wrong)
    const credentials = readCredentials(request, form.right)
    if (E.isLeft(credentials)) return sendError(request, reply, credentials.left)
    const result = await work(form.right, credentials.right)
    if (E.isLeft(result)) return respondWithError(request, reply, result.left)
    return reply.headers(NO_STORE).send(result.right)
  }

/** The token endpoint: client credentials only (A4). */
const tokenEndpoint = ({ access: { issueToken }, ports: { clock } }: Services): Endpoint => ({
  check: ({ grant_type: grant }) => {
    if (grant === undefined) return invalidRequest('grant_type is required.')
    return grant === 'client_credentials' ? undefined : UNSUPPORTED_GRANT
  },
  work: async ({ scope }, credentials) => {
    const issued = await issueToken(credentials, O.fromNullable(scope))()
    if (E.isLeft(issued)) return E.left(oauthErrorOf(issued.left, clock.now()))
    const { accessToken, expiresIn, scopes } = issued.right
    return E.right({
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresIn,
      scope: scopes.join(' '),
    })
  },
})

/** The revocation endpoint (RFC 7009): an unknown token counts as revoked. */
const revocationEndpoint = ({ access: { revokeToken }, ports: { clock } }: Services): Endpoint => ({
  check: ({ token }) => (token === undefined ? invalidRequest('token is required.') : undefined),
  work: async ({ token = '' }, credentials) => {
    const revoked = await revokeToken(credentials, token)()
    return E.isLeft(revoked) ? E.left(oauthErrorOf(revoked.left, clock.now())) : E.right(undefined)
  },
})

/** Maps an exception before or in a handler to an error of RFC 6749 (I1). */
const errorOf = (error: unknown): OAuthError => {
  if (error instanceof OAuthFault) return error.answer
  const { code, detail: description, headers = {}, cause } = problemOfError(error)
  const { status } = PROBLEMS[code]
  if (status === 408) return { ...invalidRequest(description), status, headers }
  if (status < 500) return status === 415 ? UNREADABLE_TYPE : invalidRequest(description)
  const name = code === 'unavailable' ? 'temporarily_unavailable' : 'server_error'
  return { status, error: name, description, headers, cause }
}

/** Where a documentation page is served, if it is: the path below the issuer. */
type DocumentationPath = string | undefined

/** Returns the metadata (RFC 8414). The issuer is the base URL, with the prefix of the API, if any. */
const metadataOf = (issuer: string, documentation: DocumentationPath) => ({
  issuer,
  token_endpoint: `${issuer}${TOKEN_PATH}`,
  revocation_endpoint: `${issuer}${REVOKE_PATH}`,
  grant_types_supported: ['client_credentials'],
  response_types_supported: [],
  scopes_supported: SCOPES,
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  ...(documentation === undefined ? {} : { service_documentation: `${issuer}${documentation}` }),
})

/**
 * Serves the metadata of an API whose URL has a path. RFC 8414 §3.1 puts the well-known name between host and path,
 * `https://host/.well-known/oauth-authorization-server/api`, so `app` is the root of the application. Adds nothing if the URL, as known
 * at the time, has no path.
 */
export const addDiscovery = (
  app: FastifyInstance,
  issuer: () => string,
  documentation: DocumentationPath,
): void => {
  const path = URL.parse(issuer())?.pathname ?? '/'
  if (path === '/') return
  app.route({
    method: ['GET', 'HEAD'],
    url: `${METADATA_PATH}${path}`,
    schema: { hide: true },
    handler: async () => metadataOf(issuer(), documentation),
  })
}

/** Adds the OAuth endpoints, to a separate scope because their errors are those of RFC 6749. */
export const addOAuthRoutes = (
  app: FastifyInstance,
  services: Services,
  baseUrl: () => string,
  documentation: DocumentationPath,
): void => {
  app.setErrorHandler((error, request, reply) => sendError(request, reply, errorOf(error)))
  const limits = { bodyLimit: OAUTH_BODY_LIMIT, config: { isOAuth: true } } as const
  addRoute(app, { ...limits, method: 'POST', url: TOKEN_PATH, handler: handling(tokenEndpoint(services)) })
  addRoute(app, {
    ...limits,
    method: 'POST',
    url: REVOKE_PATH,
    handler: handling(revocationEndpoint(services)),
  })
  addRoute(app, {
    method: ['GET', 'HEAD'],
    url: METADATA_PATH,
    handler: async () => metadataOf(`${baseUrl()}${app.prefix}`, documentation),
  })
  if (app.prefix === '') addDiscovery(app, baseUrl, documentation)
}
