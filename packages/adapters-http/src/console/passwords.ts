import { decode } from '@almoner/domain'
import { REQUIREMENTS } from '@almoner/domain/access'
import {
  ChangePassword,
  makeChangePassword,
  makeRemovePassword,
  makeRenewRecoveryCodes,
  makeSetPassword,
  makeShowPassword,
  makeSignInByPassword,
  makeStartPassword,
  type PasswordChecker,
  SetPassword,
  TypedCode,
  TypedPassword,
} from '@almoner/domain/managers'
import { Email, parameters } from '@almoner/domain/values'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import { badRequest } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { parametersOf } from '../request/parameters.ts'
import { addRoute } from '../request-context.ts'
import type { RouteDescription } from '../route.ts'
import {
  encodePassword,
  PasswordJson,
  RecoveryCodesJson,
  SessionJson,
  TotpSecretJson,
} from '../serializers/managers.ts'
import { addOwn, respondToSignIn, type SignInParts, sourceOf } from './sign-in-response.ts'

const NoParameters = parameters({ name: 'NoPasswordParameters', required: {}, optional: {} })

/** Parameters of POST /sign-in/password. */
const SignInByPassword = parameters({
  name: 'SignInByPassword',
  required: { email: Email, password: TypedPassword, code: TypedCode },
  optional: {},
})

const OWN = { tag: 'Passwords', access: REQUIREMENTS.useOwnAccount, path: '/password' } as const
const CHANGING = { ...OWN, access: REQUIREMENTS.changeOwnCredentials, method: 'PUT' } as const

/** The operations on one's own password. All but the first need a recent proof of presence (M4). */
export const OWN_PASSWORD = {
  show: {
    ...OWN,
    method: 'GET',
    operation: 'showPassword',
    summary: 'Show whether the signed-in manager has a password.',
    parameters: NoParameters,
    response: { kind: 'one', codec: PasswordJson },
  },
  start: {
    ...CHANGING,
    path: '/password/secret',
    operation: 'startPassword',
    summary: 'Make a secret for the authenticator app, which can be confirmed within half an hour.',
    parameters: NoParameters,
    response: { kind: 'one', codec: TotpSecretJson },
  },
  set: {
    ...CHANGING,
    operation: 'setPassword',
    summary:
      'Set password and authenticator app, which ends the other sessions. Returns recovery codes, once.',
    parameters: SetPassword,
    response: { kind: 'one', codec: RecoveryCodesJson },
  },
  change: {
    ...CHANGING,
    path: '/password/text',
    operation: 'changePassword',
    summary: 'Change the password, which ends the other sessions. The authenticator app stays.',
    parameters: ChangePassword,
    response: { kind: 'empty' },
    faults: [404],
  },
  renew: {
    ...CHANGING,
    path: '/password/recovery-codes',
    operation: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes. Returns the new ones, once.',
    parameters: NoParameters,
    response: { kind: 'one', codec: RecoveryCodesJson },
    faults: [404],
  },
  remove: {
    ...CHANGING,
    method: 'DELETE',
    operation: 'removePassword',
    summary: 'Delete the password, which ends the other sessions.',
    parameters: NoParameters,
    response: { kind: 'empty' },
    faults: [404],
  },
} as const satisfies Readonly<Record<string, RouteDescription>>

/** The operation that signs in by a password. It needs no session. */
export const PASSWORD_SIGN_IN = {
  tag: 'Session',
  access: { scope: 'user' },
  method: 'POST',
  path: '/sign-in/password',
  operation: 'signInByPassword',
  summary: 'Open a session by a password and a code.',
  parameters: SignInByPassword,
  response: { kind: 'one', codec: SessionJson },
} as const satisfies RouteDescription

const asCodes = TE.map((recoveryCodes: ReadonlyArray<string>) => ({ recoveryCodes }))

/** Adds the routes of one's own password (M3). */
export const addOwnPassword = (app: FastifyInstance, parts: SignInParts, checker: PasswordChecker): void => {
  const { ports } = parts
  const { show, start, set, change, renew, remove } = OWN_PASSWORD
  const [showPassword, startPassword] = [makeShowPassword(ports), makeStartPassword(ports)]
  const [setPassword, changePassword] = [makeSetPassword(ports), makeChangePassword(ports)]
  const renewCodes = makeRenewRecoveryCodes(ports)
  addOwn(app, parts, show, (active) => TE.map(encodePassword)(showPassword(active)))
  addOwn(app, parts, start, (active) => startPassword(checker, active))
  addOwn(app, parts, set, (active, given) => asCodes(setPassword(checker, active, given)))
  addOwn(app, parts, change, (active, given) => changePassword(checker, active, given))
  addOwn(app, parts, renew, (active) => asCodes(renewCodes(checker, active)))
  addOwn(app, parts, remove, makeRemovePassword(ports))
}

/** Adds the route that signs in by a password and a code (M3). It needs no session. */
export const addPasswordSignIn = (
  app: FastifyInstance,
  parts: SignInParts,
  checker: PasswordChecker,
): void => {
  const signIn = makeSignInByPassword(parts.ports, parts.policy)
  const read = decode<t.TypeOf<typeof SignInByPassword>>(SignInByPassword)
  addRoute(app, {
    method: 'POST',
    url: PASSWORD_SIGN_IN.path,
    handler: async (request, reply) => {
      const sent = read(parametersOf(request, SignInByPassword))
      if (E.isLeft(sent))
        return sendProblem(request, reply, badRequest('Send address, password and code.', sent.left.errors))
      return respondToSignIn(parts, request, reply, signIn(checker, { ...sent.right, ...sourceOf(request) }))
    },
  })
}
