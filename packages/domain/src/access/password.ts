import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Manager } from '../people/manager.ts'
import type { Email } from '../values/addresses.ts'
import { type Branded, isStorable, NOT_STORABLE, normalized, refined } from '../values/refined.ts'
import { folded } from '../values/text.ts'
import { type Instant, toRfc3339 } from '../values/time.ts'
import type { TokenDigest } from './caller.ts'
import type { TotpSecret } from './totp.ts'

/** A password in NFKC, so that it does not depend on the keyboard (NIST SP 800-63B). */
export type Password = Branded<string, 'Password'>

/** The fewest and the most characters of a password, as code points. */
const [FEWEST, MOST] = [12, 256]

/** Reads a new password: 12 to 256 characters of any kind (M3). */
export const Password = refined<Password>(
  'Password',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const text = normalized('NFKC', sent)
    const length = [...text].length
    return length >= FEWEST && length <= MOST
      ? E.right(text as Password)
      : E.left(`must have ${FEWEST} to ${MOST} characters`)
  },
  { type: 'string', description: 'New password.', minLength: FEWEST, maxLength: MOST },
)

/** Reads a password that someone types to sign in: one that no person can have is as wrong as another. */
export const TypedPassword = refined<Password>(
  'TypedPassword',
  (sent) => E.right(normalized('NFKC', sent.slice(0, MOST + 1)) as Password),
  { type: 'string', description: 'Password.' },
)

/** Returns whether a password is the address or the name of its person, in any spelling. */
export const isPersonal = (password: Password, { email, name }: Pick<Manager, 'email' | 'name'>): boolean =>
  [email, name].some((own) => folded(own) === folded(password))

/** A password as it is stored: its hash by scrypt, with its salt and cost (A6). */
export type PasswordHash = string & { readonly PasswordHash: unique symbol }

/** What signs a manager in where passwords are on: a password and a code of an app, or one of the recovery codes (M3). */
export interface StoredPassword {
  readonly email: Email
  readonly hash: PasswordHash
  readonly totpSecret: TotpSecret
  /** The last step whose code was used. */
  readonly usedStep: number
  /** The digests of the recovery codes that are left. */
  readonly recoveryCodes: ReadonlyArray<TokenDigest>
  readonly changedAt: Instant
  /** None before the first sign-in. */
  readonly lastUsedAt: O.Option<Instant>
}

/** The manager has no password. */
export interface PasswordNotFound {
  readonly _tag: 'PasswordNotFound'
}

/** The one {@link PasswordNotFound}. */
export const PASSWORD_NOT_FOUND: PasswordNotFound = { _tag: 'PasswordNotFound' }

/** Returns a password as JSON, without anything that signs in (L2). */
export const passwordDocument = ({ changedAt, lastUsedAt, recoveryCodes }: StoredPassword) => ({
  changedAt: toRfc3339(changedAt),
  lastUsedAt: O.isSome(lastUsedAt) ? toRfc3339(lastUsedAt.value) : null,
  recoveryCodesLeft: recoveryCodes.length,
})
