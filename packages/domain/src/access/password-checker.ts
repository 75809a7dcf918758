import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../values/ports.ts'
import type { Password, PasswordHash } from './password.ts'
import type { HmacSha1 } from './totp.ts'

/**
 * The cryptography of passwords and codes (M3). Not one of the ports: a console without it offers no passwords. Few hashes are computed at once;
 * Unavailable when too many wait.
 */
export interface PasswordChecker {
  /** Hashes a new password with a new salt. */
  hash(password: Password): TaskEither<Unavailable, PasswordHash>
  /** Returns whether a password has a hash. Without a hash it is false, after the same work. */
  verify(password: Password, hash: Option<PasswordHash>): TaskEither<Unavailable, boolean>
  /** Computes the codes of authenticator apps. */
  readonly hmac: HmacSha1
  /** Returns unguessable bytes. */
  random(count: number): Uint8Array
}
