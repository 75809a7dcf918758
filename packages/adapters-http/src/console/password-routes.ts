import { decode } from '@almoner/domain'
import {
  makeChangePassword,
  makeRemovePassword,
  makeRenewRecoveryCodes,
  makeSetPassword,
  makeShowPassword,
  makeSignInByPassword,
  makeStartPassword,
  type PasswordChecker,
} from '@almoner/domain/managers'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import { addRoute } from '../add-route.ts'
import { badRequest } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { parametersOf } from '../request/parameters.ts'
import { encodePassword } from '../serializers/passwords.ts'
import { addOwn } from './own-route.ts'
import { OWN_PASSWORD, PASSWORD_SIGN_IN, SignInByPassword } from './password-operations.ts'
import { respondToSignIn, type SignInParts, sourceOf } from './sign-in-response.ts'

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
