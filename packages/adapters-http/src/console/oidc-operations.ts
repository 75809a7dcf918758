import { OidcResponse } from '@almoner/domain/managers'
import { BooleanParameter, parameters } from '@almoner/domain/values'
import * as t from 'io-ts'
import type { RouteDescription } from '../route.ts'
import { SessionJson } from '../serializers/sessions.ts'

/** Parameters of POST /sign-in/oidc/start. With `fresh` the provider asks for the password again. */
export const StartOidcSignIn = parameters({
  name: 'StartOidcSignIn',
  required: {},
  optional: { fresh: BooleanParameter },
})

/** Parameters of POST /sign-in/oidc. */
export const SignInByOidc = parameters({
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
    response: { kind: 'one', codec: t.strict({ url: t.string }) },
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
