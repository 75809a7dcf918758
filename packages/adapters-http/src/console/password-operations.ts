import { REQUIREMENTS } from '@almoner/domain/access'
import { ChangePassword, SetPassword, TypedCode, TypedPassword } from '@almoner/domain/managers'
import { Email, parameters } from '@almoner/domain/values'
import type { RouteDescription } from '../route.ts'
import { PasswordJson, RecoveryCodesJson, TotpSecretJson } from '../serializers/passwords.ts'
import { SessionJson } from '../serializers/sessions.ts'

const NoParameters = parameters({ name: 'NoPasswordParameters', required: {}, optional: {} })

/** Parameters of POST /sign-in/password. */
export const SignInByPassword = parameters({
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
