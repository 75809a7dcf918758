import {
  type Credentials,
  type ExchangeTokenError,
  type IssuedToken,
  type IssueTokenError,
  SCOPES,
  type SubjectTokenKind,
} from '@almoner/domain/access'
import { countsAsAbsent } from '@almoner/domain/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import {
  invalidRequest,
  type OAuthError,
  OAuthFault,
  oauthErrorOf,
  UNREADABLE_TYPE,
  UNSUPPORTED_GRANT,
} from './oauth-errors.ts'
import { PROBLEMS } from './problems/problem.ts'
import { problemOfError } from './problems/send-problem.ts'
import { decodeOr } from './request/parameters.ts'
import { addRoute, recordFault, recordRefusal, SUBJECT_TOKEN_REFUSED } from './request-context.ts'
import type { Services } from './route.ts'
import { METADATA_PATH, OAUTH_BODY_LIMIT, REVOKE_PATH, TOKEN_PATH } from './settings.ts'

type Form = Readonly<Record<string, string>>

const KNOWN = [
  ...['grant_type', 'client_id', 'client_secret', 'scope', 'token', 'token_type_hint'],
  ...['subject_token', 'subject_token_type', 'requested_token_type', 'actor_token', 'actor_token_type'],
]

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
  if (error.reason !== undefined) recordRefusal(request, error.reason, SUBJECT_TOKEN_REFUSED)
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

/** The grant by which a client exchanges a subject token (RFC 8693). */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** The type of the tokens that are issued (RFC 8693). */
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'

/** The subject tokens that are exchanged, by the text of their type (A10). */
export const SUBJECT_TOKEN_TYPES: Readonly<Record<string, SubjectTokenKind>> = {
  'urn:ietf:params:oauth:token-type:id_token': 'id-token',
  'urn:almoner:params:oauth:token-type:email': 'email',
}

const subjectTypeOf = ({ subject_token_type: type = '' }: Form): SubjectTokenKind | undefined =>
  Object.hasOwn(SUBJECT_TOKEN_TYPES, type) ? SUBJECT_TOKEN_TYPES[type] : undefined

/** Returns the fault of a request for an exchange: no one acts for a person here, and only access tokens are issued. */
const exchangeFault = (form: Form): OAuthError | undefined => {
  const { subject_token, subject_token_type, requested_token_type = ACCESS_TOKEN_TYPE } = form
  if (subject_token === undefined) return invalidRequest('subject_token is required.')
  if (subject_token_type === undefined) return invalidRequest('subject_token_type is required.')
  if (subjectTypeOf(form) === undefined)
    return invalidRequest(`subject_token_type must be one of ${Object.keys(SUBJECT_TOKEN_TYPES).join(', ')}.`)
  if (form['actor_token'] !== undefined || form['actor_token_type'] !== undefined)
    return invalidRequest('actor_token is not accepted.')
  return requested_token_type === ACCESS_TOKEN_TYPE
    ? undefined
    : invalidRequest(`requested_token_type must be ${ACCESS_TOKEN_TYPE}.`)
}

/** The token endpoint: client credentials (A4), and token exchange for people (A10). */
const tokenEndpoint = ({ access, ports: { clock } }: Services): Endpoint => ({
  check: (form) => {
    const { grant_type: grant } = form
    if (grant === undefined) return invalidRequest('grant_type is required.')
    if (grant === TOKEN_EXCHANGE) return exchangeFault(form)
    return grant === 'client_credentials' ? undefined : UNSUPPORTED_GRANT
  },
  work: async (form, credentials) => {
    const scope = O.fromNullable(form['scope'])
    const kind = form['grant_type'] === TOKEN_EXCHANGE ? subjectTypeOf(form) : undefined
    const issue: TE.TaskEither<IssueTokenError | ExchangeTokenError, IssuedToken> =
      kind === undefined
        ? access.issueToken(credentials, scope)
        : access.exchangeToken(credentials, { kind, subjectToken: form['subject_token'] ?? '', scope })
    const issued = await issue()
    if (E.isLeft(issued)) return E.left(oauthErrorOf(issued.left, clock.now()))
    const { accessToken, expiresIn, scopes } = issued.right
    return E.right({
      access_token: accessToken,
      ...(kind !== undefined && { issued_token_type: ACCESS_TOKEN_TYPE }),
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

/** Public clients prove nothing (A10). */
const AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none']

/** Returns the metadata (RFC 8414). The issuer is the base URL, with the prefix of the API, if any. */
const metadataOf = (issuer: string, documentation: DocumentationPath) => ({
  issuer,
  token_endpoint: `${issuer}${TOKEN_PATH}`,
  revocation_endpoint: `${issuer}${REVOKE_PATH}`,
  grant_types_supported: ['client_credentials', TOKEN_EXCHANGE],
  response_types_supported: [],
  scopes_supported: SCOPES,
  token_endpoint_auth_methods_supported: AUTHENTICATION,
  revocation_endpoint_auth_methods_supported: AUTHENTICATION,
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
