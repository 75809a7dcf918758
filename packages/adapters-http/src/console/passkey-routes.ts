import { decode } from '@almoner/domain'
import {
  makeAddPasskey,
  makeListPasskeys,
  makeRemovePasskey,
  makeRenamePasskey,
  makeSignInByPasskey,
  makeStartPasskey,
  makeStartPasskeySignIn,
  type PasskeyChecker,
} from '@almoner/domain/managers'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type * as t from 'io-ts'
import { addRoute } from '../add-route.ts'
import { badRequest } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { parametersOf } from '../request/parameters.ts'
import { encodePasskey } from '../serializers/passkeys.ts'
import { addOwn } from './own-route.ts'
import { OWN_PASSKEYS, PASSKEY_SIGN_IN, SignInByPasskey } from './passkey-operations.ts'
import { NO_STORE, refuseSignIn, respondToSignIn, type SignInParts, sourceOf } from './sign-in-response.ts'

const asText = TE.map((options: unknown) => ({ options: JSON.stringify(options) }))

/** Adds the routes of one's own passkeys (M3). */
export const addOwnPasskeys = (app: FastifyInstance, parts: SignInParts, checker: PasskeyChecker): void => {
  const { ports } = parts
  const { list, start, add, rename, remove } = OWN_PASSKEYS
  const [listPasskeys, startPasskey] = [makeListPasskeys(ports), makeStartPasskey(ports)]
  const [addPasskey, renamePasskey] = [makeAddPasskey(ports), makeRenamePasskey(ports)]
  const removePasskey = makeRemovePasskey(ports)
  addOwn(app, parts, list, (active) =>
    TE.map((all: ReadonlyArray<Parameters<typeof encodePasskey>[0]>) => ({
      passkeys: all.map(encodePasskey),
    }))(listPasskeys(active)),
  )
  addOwn(app, parts, start, (active) => asText(startPasskey(checker, active)))
  addOwn(app, parts, add, (active, given) => TE.map(encodePasskey)(addPasskey(checker, active, given)))
  addOwn(app, parts, rename, (active, given) => TE.map(encodePasskey)(renamePasskey(active, given)))
  addOwn(app, parts, remove, removePasskey)
}

/** Adds the routes that sign in by a passkey (M3). They need no session. */
export const addPasskeySignIn = (app: FastifyInstance, parts: SignInParts, checker: PasskeyChecker): void => {
  const { ports, policy } = parts
  const [start, finish] = [makeStartPasskeySignIn(ports), makeSignInByPasskey(ports, policy)]
  addRoute(app, {
    method: 'POST',
    url: PASSKEY_SIGN_IN.start.path,
    handler: async (request, reply) => {
      const started = await asText(start(checker, sourceOf(request)))()
      return E.isLeft(started)
        ? refuseSignIn(request, reply, started.left, ports.clock.now())
        : reply.headers(NO_STORE).send(started.right)
    },
  })
  const read = decode<t.TypeOf<typeof SignInByPasskey>>(SignInByPasskey)
  addRoute(app, {
    method: 'POST',
    url: PASSKEY_SIGN_IN.finish.path,
    handler: async (request, reply) => {
      const sent = read(parametersOf(request, SignInByPasskey))
      if (E.isLeft(sent)) return sendProblem(request, reply, badRequest('Send a response.', sent.left.errors))
      const attempt = { ...sent.right, ...sourceOf(request) }
      return respondToSignIn(parts, request, reply, finish(checker, attempt))
    },
  })
}

/** Adds the route that lists the ways to sign in besides a link (M3). */
export const addSignInMethods = (app: FastifyInstance, methods: () => ReadonlyArray<string>): void =>
  addRoute(app, {
    method: ['GET', 'HEAD'],
    url: PASSKEY_SIGN_IN.methods.path,
    handler: async () => ({ methods: methods() }),
  })
