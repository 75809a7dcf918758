import {
  makeListIdentities,
  makeSignInByProvider,
  makeStartProviderSignIn,
  makeUnlinkIdentity,
} from '../managers/identities.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** Accounts of an identity provider (OpenID Connect) that sign managers in. An `IdentityProvider` asks it and checks its responses. */
export interface IdentitiesArea {
  /**
   * Lists the linked accounts by address: all for operators, for others their own (M3).
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.identities.list(operator, {})
   * ```
   */
  readonly list: ReturnType<typeof makeListIdentities>
  /**
   * Unlinks the account of a manager: one's own, or any for operators (M3). Sessions that it opened go on.
   * Fails with IdentityNotFound, InsufficientRole, InsufficientScope, NoSession, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.identities.unlink(operator, { email: editor.email })
   * ```
   */
  readonly unlink: ReturnType<typeof makeUnlinkIdentity>
  /**
   * Returns the URL of the provider's sign-in page, and a secret for a cookie of the browser (M3). Limited by network (A8).
   * Fails with ProviderUnavailable, TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.identities.startSignIn(identityProvider, { address: '192.0.2.1', isFresh: false })
   * ```
   */
  readonly startSignIn: ReturnType<typeof makeStartProviderSignIn>
  /**
   * Opens a session for the browser that the provider has sent back; once, within ten minutes (M3, M4). Limits wrong ones by network (A8).
   * Fails with ProviderUnavailable, SignInRefused, TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.identities.signIn(identityProvider, { secret: some(secret), response, address: '192.0.2.1', browser: 'Firefox' })
   * ```
   */
  readonly signIn: ReturnType<typeof makeSignInByProvider>
}

/** Binds the use cases of identities to ports and a policy. */
export const makeIdentitiesArea = (ports: Ports, policy: Policy): IdentitiesArea => ({
  list: makeListIdentities(ports),
  unlink: makeUnlinkIdentity(ports),
  startSignIn: makeStartProviderSignIn(ports),
  signIn: makeSignInByProvider(ports, policy),
})
