import { decode } from '@almoner/domain'
import {
  type IdentityProvider,
  makeSignInByProvider,
  makeStartProviderSignIn,
  OidcResponse,
  PROVIDER_SIGN_IN_LIFE,
} from '@almoner/domain/managers'
import { BooleanParameter, parameters, SECOND } from '@almoner/domain/values'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { badRequest } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { parametersOf } from '../request/parameters.ts'
import { addRoute } from '../request-context.ts'
import type { RouteDescription } from '../route.ts'
import { SessionJson } from '../serializers/managers.ts'
import { providerCookie, providerSecretIn } from './callers.ts'
import { NO_STORE, refuseSignIn, respondToSignIn, type SignInParts, sourceOf } from './sign-in-response.ts'

/** Parameters of POST /sign-in/oidc/start. With `fresh` the provider asks for the password again. */
const StartOidcSignIn = parameters({
  name: 'StartOidcSignIn',
  required: {},
  optional: { fresh: BooleanParameter },
})

/** Parameters of POST /sign-in/oidc. */
const SignInByOidc = parameters({
  name: 'SignInByOidc',
  required: { response: OidcResponse },
  optional: {},
})

const OPEN = { tag: 'Session', access: { scope: 'user' }, method: 'POST' } as const

/** The operations that sign in by OpenID Connect. They need no session. */
export const OIDC_SIGN_IN = {
  start: {
    ...OPEN,
    path: '/sign-in/oidc/start',
    operation: 'startOidcSignIn',
    summary:
      'Get the URL of the identity provider’s sign-in page. The response sets a cookie for the way back.',
    parameters: StartOidcSignIn,
    response: { kind: 'one', codec: t.strict({ url: t.string }, 'SignInUrl') },
  },
  finish: {
    ...OPEN,
    path: '/sign-in/oidc',
    operation: 'signInByOidc',
    summary: 'Open a session by the query with which the identity provider has sent the browser back.',
    parameters: SignInByOidc,
    response: { kind: 'one', codec: SessionJson },
  },
} as const satisfies Readonly<Record<string, RouteDescription>>

const addStart = (app: FastifyInstance, parts: SignInParts, provider: IdentityProvider): void => {
  const { ports, baseUrl } = parts
  const start = makeStartProviderSignIn(ports)
  const read = decode<t.TypeOf<typeof StartOidcSignIn>>(StartOidcSignIn)
  addRoute(app, {
    method: 'POST',
    url: OIDC_SIGN_IN.start.path,
    handler: async (request, reply) => {
      const sent = read(parametersOf(request, StartOidcSignIn))
      if (E.isLeft(sent))
        return sendProblem(request, reply, badRequest('Send fresh or nothing.', sent.left.errors))
      const { fresh = false } = sent.right
      const started = await start(provider, { ...sourceOf(request), isFresh: fresh })()
      if (E.isLeft(started)) return refuseSignIn(request, reply, started.left, ports.clock.now())
      const { url, secret } = started.right
      const cookie = providerCookie(baseUrl(), secret, PROVIDER_SIGN_IN_LIFE / SECOND)
      return reply.headers({ ...NO_STORE, 'Set-Cookie': cookie }).send({ url })
    },
  })
}

const addFinish = (app: FastifyInstance, parts: SignInParts, provider: IdentityProvider): void => {
  const { ports, policy, baseUrl } = parts
  const finish = makeSignInByProvider(ports, policy)
  const read = decode<t.TypeOf<typeof SignInByOidc>>(SignInByOidc)
  addRoute(app, {
    method: 'POST',
    url: OIDC_SIGN_IN.finish.path,
    handler: async (request, reply) => {
      const sent = read(parametersOf(request, SignInByOidc))
      if (E.isLeft(sent)) return sendProblem(request, reply, badRequest('Send a response.', sent.left.errors))
      const secret = O.fromNullable(providerSecretIn(baseUrl(), request.headers.cookie))
      // The secret works once, so the browser need not keep it.
      reply.header('Set-Cookie', providerCookie(baseUrl()))
      const attempt = { secret, ...sent.right, ...sourceOf(request) }
      return respondToSignIn(parts, request, reply, finish(provider, attempt))
    },
  })
}

/** Adds the routes that sign in by OpenID Connect (M3). They need no session. */
export const addOidcSignIn = (app: FastifyInstance, parts: SignInParts, provider: IdentityProvider): void => {
  addStart(app, parts, provider)
  addFinish(app, parts, provider)
}
