import type { Unavailable } from '@almoner/domain'
import {
  type Credentials,
  type InvalidClient,
  type InvalidScope,
  SCOPES,
  type TooManyAttempts,
} from '@almoner/domain/access'
import { countsAsAbsent } from '@almoner/domain/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { PROBLEMS } from './problems/problem.ts'
import { problemOfError } from './problems/send-problem.ts'
import { decodeOr } from './request/parameters.ts'
import { addRoute, recordFault } from './request-context.ts'
import type { Services } from './route.ts'
import { METADATA_PATH, OAUTH_BODY_LIMIT, REVOKE_PATH, TOKEN_PATH } from './settings.ts'

/** An error answer of RFC 6749 §5.2, or of A8. */
interface OAuthError {
  readonly status: number
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_scope'
    | 'unsupported_grant_type'
    | 'too_many_requests'
    | 'server_error'
    | 'temporarily_unavailable'
  readonly description: string
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only. */
  readonly cause?: unknown
}

/** A fault of the service at an OAuth endpoint, thrown so that the application's `onError` hooks see it. */
class OAuthFault extends Error {
  override readonly name = 'OAuthFault'
  readonly answer: OAuthError
  /** For an application around the API that handles its own errors. */
  readonly statusCode: number
  constructor(answer: OAuthError) {
    super(answer.description, { cause: answer.cause })
    this.answer = answer
    this.statusCode = answer.status
  }
}

const invalidRequest = (description: string): OAuthError => ({
  status: 400,
  error: 'invalid_request',
  description,
})

/** Other content types are 400 here, not 415 (A4). */
const UNREADABLE_TYPE = invalidRequest(
  'Send application/x-www-form-urlencoded or application/json, not compressed.',
)

const INVALID_CLIENT: OAuthError = {
  status: 401,
  error: 'invalid_client',
  description: 'The client is unknown or its secret is wrong.',
  headers: { 'WWW-Authenticate': 'Basic realm="almoner", charset="UTF-8"' },
}

const UNSUPPORTED_GRANT: OAuthError = {
  status: 400,
  error: 'unsupported_grant_type',
  description: 'The only grant is client_credentials.',
}

/** What a failure of a use case is at an OAuth endpoint. `now` is in milliseconds. */
const oauthErrorOf = (
  failure: InvalidClient | InvalidScope | TooManyAttempts | Unavailable,
  now: number,
): OAuthError => {
  switch (failure._tag) {
    case 'InvalidClient':
      return INVALID_CLIENT
    case 'InvalidScope':
      return {
        status: 400,
        error: 'invalid_scope',
        description: 'The client does not have the requested scope.',
      }
    case 'TooManyAttempts':
      return {
        status: 429,
        error: 'too_many_requests',
        description: 'Too many wrong credentials. Please wait.',
        headers: { 'Retry-After': String(Math.max(1, Math.ceil((failure.until - now) / 1000))) },
      }
    case 'Unavailable':
      return {
        status: 503,
        error: 'temporarily_unavailable',
        description: 'Please try again.',
        headers: { 'Retry-After': '5' },
        cause: failure.cause,
      }
    case 'OutcomeUnknown':
      // A token that was not delivered is useless: requesting another one does no harm.
      return {
        status: 503,
        error: 'temporarily_unavailable',
        description: 'The outcome of the request is unknown.',
        cause: failure.cause,
      }
  }
}

type Form = Readonly<Record<string, string>>

const KNOWN = ['grant_type', 'client_id', 'client_secret', 'scope', 'token', 'token_type_hint']

const isReadable = (contentType: string | undefined): boolean =>
  /^application\/(?:json|x-www-form-urlencoded)(?:;|\s|$)/i.test(contentType ?? '')

/** The parameters of an OAuth request: from the body only, so that no secret is ever asked to be in a URL (A4). */
const readForm = (request: FastifyRequest): E.Either<OAuthError, Form> => {
  if (!isReadable(request.headers['content-type'])) return E.left(UNREADABLE_TYPE)
  const body = request.body as Readonly<Record<string, unknown>>
  const form: Record<string, string> = {}
  for (const name of KNOWN) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (countsAsAbsent(value, t.string)) continue
    if (typeof value !== 'string' || !value.isWellFormed())
      return E.left(invalidRequest(`${name} must be given once, as text.`))
    form[name] = value
  }
  return E.right(form)
}

const decoded = (text: string): string | undefined => decodeOr(text.replaceAll('+', ' '), undefined)

/** The id and secret of HTTP Basic, each form-encoded (RFC 6749 §2.3.1). */
const readBasic = (header: string): readonly [string, string] | undefined => {
  const text = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const [id, secret] = [decoded(text.slice(0, colon)), decoded(text.slice(colon + 1))]
  return colon < 0 || id === undefined || secret === undefined ? undefined : [id, secret]
}

/**
 * Reads the client's credentials: from HTTP Basic or from the form, never both (RFC 6749 §2.3). Missing values are empty, and so rejected and
 * counted as wrong ones (A8).
 */
const readCredentials = (request: FastifyRequest, form: Form): E.Either<OAuthError, Credentials> => {
  const header = request.headers.authorization ?? ''
  const isBasic = /^basic /i.test(header)
  if (isBasic && form['client_secret'] !== undefined)
    return E.left(invalidRequest('Send the client credentials in one way.'))
  const pair = isBasic ? readBasic(header) : [form['client_id'], form['client_secret']]
  const [clientId = '', secret = ''] = pair ?? []
  if (isBasic && form['client_id'] !== undefined && form['client_id'] !== clientId)
    return E.left(invalidRequest('client_id differs from the one in Authorization.'))
  return E.right({ clientId, secret, address: request.ip })
}

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
