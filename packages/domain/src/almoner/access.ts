import {
  makeAddClient,
  makeDisableClient,
  makeListClients,
  makeRegisterClient,
  makeRotateClient,
  makeRotateSecret,
  makeWithdrawClient,
} from '../access/clients.ts'
import { makeAuthenticate, makeCheckCredentials, makeIssueToken, makeRevokeToken } from '../access/tokens.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** OAuth clients and their tokens. */
export interface AccessArea {
  /**
   * Registers a client, and returns it with a new secret, which is stored as a digest only (A6). For operators: checks no caller.
   * Fails with ClientExists, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.addClient(client)
   * ```
   */
  readonly addClient: ReturnType<typeof makeAddClient>
  /**
   * Takes back a client that was just added, because its secret could not be shown (A6). For operators: checks no caller.
   * Fails with ClientNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.withdrawClient({ client, secret })
   * ```
   */
  readonly withdrawClient: ReturnType<typeof makeWithdrawClient>
  /**
   * Gives a client a new secret (A6). The old ones stay valid until the moment given, or end at once. For operators: checks no caller.
   * Fails with ClientNotFound, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.rotateSecret(client.id, none)
   * ```
   */
  readonly rotateSecret: ReturnType<typeof makeRotateSecret>
  /**
   * Lists the clients with their last use, without secrets (M2). Requires the role `super-admin`.
   * Fails with InsufficientRole, InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.listClients(operator, {})
   * ```
   */
  readonly listClients: ReturnType<typeof makeListClients>
  /**
   * Registers a client, and returns it with its secret (A6, M2). Requires the role `super-admin`.
   * Fails with ClientExists, InsufficientRole, InsufficientScope, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.registerClient(operator, { clientId: client.id, scopes: ['user'] })
   * ```
   */
  readonly registerClient: ReturnType<typeof makeRegisterClient>
  /**
   * Gives a client a new secret (A6, M2). Earlier ones stay valid for the seconds `keepOld`. Requires the role `super-admin`.
   * Fails with ClientNotFound, InsufficientRole, InsufficientScope, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.rotateClient(operator, { clientId: client.id, keepOld: 3600 })
   * ```
   */
  readonly rotateClient: ReturnType<typeof makeRotateClient>
  /**
   * Disables a client and so ends its tokens, or enables it again (A6, M2). Requires the role `super-admin`.
   * Fails with ClientNotFound, InsufficientRole, InsufficientScope, PresenceRequired, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.disableClient(operator, { clientId: client.id, disabled: true })
   * ```
   */
  readonly disableClient: ReturnType<typeof makeDisableClient>
  /**
   * Returns the client that has these credentials, unless too many wrong ones came from its address (A4, A8).
   * Fails with InvalidClient, TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.checkCredentials({ clientId: client.id, secret, address: '192.0.2.1' })
   * ```
   */
  readonly checkCredentials: ReturnType<typeof makeCheckCredentials>
  /**
   * Issues a token for client credentials, with all scopes of the client or those of the text `scope` (A4). `expiresIn` is in seconds.
   * Fails with InvalidClient, InvalidScope, TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.issueToken({ clientId: client.id, secret, address: '192.0.2.1' }, none)
   * ```
   */
  readonly issueToken: ReturnType<typeof makeIssueToken>
  /**
   * Returns the caller that a token stands for, and when the token expires (A5, A6).
   * Fails with InvalidToken, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.authenticate(accessToken)
   * ```
   */
  readonly authenticate: ReturnType<typeof makeAuthenticate>
  /**
   * Revokes a token of the client (A6). An unknown token, or one of another client, changes nothing.
   * Fails with InvalidClient, TooManyAttempts, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.access.revokeToken({ clientId: client.id, secret, address: '192.0.2.1' }, accessToken)
   * ```
   */
  readonly revokeToken: ReturnType<typeof makeRevokeToken>
}

/** Binds the use cases of clients and tokens to ports and a policy. */
export const makeAccessArea = (ports: Ports, policy: Policy): AccessArea => ({
  addClient: makeAddClient(ports),
  withdrawClient: makeWithdrawClient(ports),
  rotateSecret: makeRotateSecret(ports),
  listClients: makeListClients(ports),
  registerClient: makeRegisterClient(ports),
  rotateClient: makeRotateClient(ports),
  disableClient: makeDisableClient(ports),
  checkCredentials: makeCheckCredentials(ports),
  issueToken: makeIssueToken(ports, policy),
  authenticate: makeAuthenticate(ports),
  revokeToken: makeRevokeToken(ports),
})
