import type { Option } from 'fp-ts/lib/Option.js'
import type { Duty, TokenDigest } from './caller.ts'
import type { IdentityKey } from './identity.ts'
import type { Passkey } from './passkey.ts'
import type { PasswordHash, StoredPassword } from './password.ts'

/** What a code uses up: the step of a code, or a recovery code. */
export type UsedCode = { readonly step: number } | { readonly recoveryCode: TokenDigest }

/** The parts of a password that a code is compared with. */
export type SecondFactors = Pick<StoredPassword, 'totpSecret' | 'usedStep' | 'recoveryCodes'>

/** A credential as a sign-in has checked it. It opens a session only if it is still the same then (M3). */
export type CheckedCredential =
  /** A sign-in link, which opening uses up. */
  | { readonly way: 'link'; readonly link: TokenDigest }
  | { readonly way: 'passkey'; readonly passkey: Pick<Passkey, 'id' | 'publicKey'> }
  | { readonly way: 'oidc'; readonly identity: IdentityKey }
  /** A password, right if it has a hash, and a code that is compared when the session opens, so that wrong ones count (M9). */
  | {
      readonly way: 'password'
      readonly hash: Option<PasswordHash>
      /** Returns what the code uses up, if it is right. Pure: it may be called again. */
      readonly usedBy: (factors: Option<SecondFactors>) => Option<UsedCode>
    }

/** What a sign-in has found out: a credential, and the duty of its manager (M2). */
export interface SignInProof {
  readonly duty: Duty
  readonly credential: CheckedCredential
}
