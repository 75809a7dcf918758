import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { PROBLEMS } from '../problems/catalogue.ts'
import { problemOfError } from '../problems/problem-of-error.ts'
import { stateOf } from '../request-context.ts'
import type { Services } from '../services.ts'
import {
  invalidRequest,
  type OAuthError,
  oauthErrorOf,
  UNREADABLE_TYPE,
  UNSUPPORTED_GRANT,
} from './errors.ts'
import { discovery, metadataOf } from './metadata.ts'
import { METADATA_PATH, REVOKE_PATH, TOKEN_PATH } from './paths.ts'
import { readCredentials, readForm } from './read.ts'

const send = (request: FastifyRequest, reply: FastifyReply, error: OAuthError): FastifyReply => {
  if (error.cause !== undefined) stateOf(request).cause = error.cause
  return reply
    .code(error.status)
    .headers({ ...error.headers, 'Cache-Control': 'no-store', Pragma: 'no-cache' })
    .send({ error: error.error, error_description: error.description })
}

type Work = (request: FastifyRequest) => TE.TaskEither<OAuthError, object | undefined>

const answering = (work: Work) => async (request: FastifyRequest, reply: FastifyReply) => {
  const result = await work(request)()
  if (E.isLeft(result)) return send(request, reply, result.left)
  reply.headers({ 'Cache-Control': 'no-store', Pragma: 'no-cache' })
  return result.right === undefined ? reply.send() : reply.send(result.right)
}

/** The token endpoint: client credentials only (A4). */
const getToken =
  (services: Services): Work =>
  (request) => {
    const read = pipe(
      readForm(request),
      E.filterOrElse(
        (form) => form['grant_type'] !== undefined,
        () => invalidRequest('grant_type is required.'),
      ),
      E.filterOrElse(
        (form) => form['grant_type'] === 'client_credentials',
        () => UNSUPPORTED_GRANT,
      ),
      E.bindTo('form'),
      E.bind('credentials', ({ form }) => readCredentials(request, form)),
    )
    const issue = ({
      form,
      credentials,
    }: {
      form: Readonly<Record<string, string>>
      credentials: Parameters<Services['issueToken']>[0]
    }) =>
      pipe(
        services.issueToken(credentials, O.fromNullable(form['scope'])),
        TE.mapError((failure) => oauthErrorOf(failure, services.clock.now())),
      )
    return pipe(
      TE.fromEither(read),
      TE.flatMap(issue),
      TE.map(({ accessToken, expiresIn, scopes }) => ({
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: expiresIn,
        scope: scopes.join(' '),
      })),
    )
  }

/** The revocation endpoint (RFC 7009): a token that is unknown is as good as revoked. */
const revoke =
  (services: Services): Work =>
  (request) => {
    const read = pipe(
      readForm(request),
      E.bindTo('form'),
      E.bind('credentials', ({ form }) => readCredentials(request, form)),
      E.bind('token', ({ form }) => E.fromNullable(invalidRequest('token is required.'))(form['token'])),
    )
    return pipe(
      TE.fromEither(read),
      TE.flatMap(({ credentials, token }) =>
        pipe(
          services.revokeToken(credentials, token),
          TE.mapError((failure) => oauthErrorOf(failure, services.clock.now())),
        ),
      ),
      TE.map(() => undefined),
    )
  }

/** Whatever goes wrong before a handler runs is told as RFC 6749 has it (I1). */
const ofError = (error: unknown): OAuthError => {
  const { code, detail: description, headers = {}, cause } = problemOfError(error)
  const { status } = PROBLEMS[code]
  if (status >= 500)
    return {
      status,
      error: code === 'unavailable' ? 'temporarily_unavailable' : 'server_error',
      description,
      headers,
      cause,
    }
  return status === 415 ? UNREADABLE_TYPE : invalidRequest(description)
}

/** The OAuth endpoints, in a scope of their own because their errors are RFC 6749's. */
export const oauthRoutes = (services: Services, baseUrl: () => string) => async (app: FastifyInstance) => {
  app.setErrorHandler((error, request, reply) => send(request, reply, ofError(error)))
  app.post(TOKEN_PATH, answering(getToken(services)))
  app.post(REVOKE_PATH, answering(revoke(services)))
  app.route({
    method: ['GET', 'HEAD'],
    url: METADATA_PATH,
    handler: async () => metadataOf(`${baseUrl()}${app.prefix}`),
  })
  if (app.prefix === '') await app.register(discovery(baseUrl))
}
