import { REQUIREMENTS } from '@almoner/domain/access'
import { AddPasskey, OnePasskey, RenamePasskey, WebAuthnResponse } from '@almoner/domain/managers'
import { parameters } from '@almoner/domain/values'
import * as t from 'io-ts'
import type { RouteDescription } from '../route.ts'
import { OptionsJson, PasskeyJson } from '../serializers/passkeys.ts'
import { SessionJson } from '../serializers/sessions.ts'

const NoParameters = parameters({ name: 'NoPasskeyParameters', required: {}, optional: {} })

/** Parameters of POST /sign-in/passkey. */
export const SignInByPasskey = parameters({
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
    response: { kind: 'one', codec: t.strict({ methods: t.array(t.string) }) },
  },
} as const satisfies Readonly<Record<string, RouteDescription>>
