import { decode } from '@almoner/domain'
import { REQUIREMENTS } from '@almoner/domain/access'
import {
  AddPasskey,
  makeAddPasskey,
  makeListPasskeys,
  makeRemovePasskey,
  makeRenamePasskey,
  makeSignInByPasskey,
  makeStartPasskey,
  makeStartPasskeySignIn,
  OnePasskey,
  type PasskeyChecker,
  RenamePasskey,
  WebAuthnResponse,
} from '@almoner/domain/managers'
import { parameters } from '@almoner/domain/values'
import type { FastifyInstance } from 'fastify'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { badRequest } from '../problems/problem.ts'
import { sendProblem } from '../problems/send-problem.ts'
import { parametersOf } from '../request/parameters.ts'
import { addRoute } from '../request-context.ts'
import type { RouteDescription } from '../route.ts'
import { encodePasskey, OptionsJson, PasskeyJson, SessionJson } from '../serializers/managers.ts'
import {
  addOwn,
  NO_STORE,
  refuseSignIn,
  respondToSignIn,
  type SignInParts,
  sourceOf,
} from './sign-in-response.ts'

const NoParameters = parameters({ name: 'NoPasskeyParameters', required: {}, optional: {} })

/** Parameters of POST /sign-in/passkey. */
const SignInByPasskey = parameters({
  name: 'SignInByPasskey',
  required: { response: WebAuthnResponse },
  optional: {},
})

const OWN = { tag: 'Passkeys', access: REQUIREMENTS.useOwnAccount } as const
const CHANGING = { ...OWN, access: REQUIREMENTS.changeOwnCredentials } as const
const ONE = { ...OWN, path: '/passkeys/:id' } as const
const OPEN = { tag: 'Session', access: { scope: 'user' }, method: 'POST' } as const

/** The operations on one's own passkeys. Adding and removing one need a recent proof of presence (M4). */
export const OWN_PASSKEYS = {
  list: {
    ...OWN,
    method: 'GET',
    path: '/passkeys',
    operation: 'listPasskeys',
    summary: 'List the passkeys of the signed-in manager.',
    parameters: NoParameters,
    response: { kind: 'collection', key: 'passkeys', codec: PasskeyJson, paged: false },
  },
  start: {
    ...CHANGING,
    method: 'PUT',
    path: '/passkeys/options',
    operation: 'startPasskey',
    summary: 'Get the options with which the browser makes a passkey, as JSON text.',
    parameters: NoParameters,
    response: { kind: 'one', codec: OptionsJson },
  },
  add: {
    ...CHANGING,
    method: 'POST',
    path: '/passkeys',
    operation: 'addPasskey',
    summary: 'Store a passkey that the browser has made.',
    parameters: AddPasskey,
    response: { kind: 'one', codec: PasskeyJson },
  },
  rename: {
    ...ONE,
    method: 'PUT',
    operation: 'renamePasskey',
    summary: 'Change the name of a passkey.',
    parameters: RenamePasskey,
    response: { kind: 'one', codec: PasskeyJson },
    faults: [404],
  },
  remove: {
    ...CHANGING,
    path: ONE.path,
    method: 'DELETE',
    operation: 'removePasskey',
    summary: 'Delete a passkey.',
    parameters: OnePasskey,
    response: { kind: 'empty' },
    faults: [404],
  },
} as const satisfies Readonly<Record<string, RouteDescription>>

/** The operations that sign in by a passkey. They need no session. */
export const PASSKEY_SIGN_IN = {
  start: {
    ...OPEN,
    path: '/sign-in/passkey/options',
    operation: 'startPasskeySignIn',
    summary: 'Get the options with which the browser signs in by a passkey, as JSON text.',
    parameters: NoParameters,
    response: { kind: 'one', codec: OptionsJson },
  },
  finish: {
    ...OPEN,
    path: '/sign-in/passkey',
    operation: 'signInByPasskey',
    summary: 'Open a session by a passkey.',
    parameters: SignInByPasskey,
    response: { kind: 'one', codec: SessionJson },
  },
  methods: {
    ...OPEN,
    method: 'GET',
    path: '/sign-in/methods',
    operation: 'listSignInMethods',
    summary: 'List the ways to sign in besides a link.',
    parameters: NoParameters,
    response: { kind: 'one', codec: t.strict({ methods: t.array(t.string) }, 'SignInMethods') },
  },
} as const satisfies Readonly<Record<string, RouteDescription>>

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
