import { pipe } from 'fp-ts/lib/function.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { grantedScopes, type InvalidScope } from '../../access/client.ts'
import type { Scope } from '../../access/scopes.ts'
import type { AccessPolicy, AccessPorts } from '../../ports/of-access.ts'
import type { Unavailable } from '../../values/ports.ts'
import { addMillis, SECOND } from '../../values/time.ts'
import type { TooManyAttempts } from './attempts.ts'
import { type Credentials, type InvalidClient, makeCheckCredentials } from './check-credentials.ts'

/** A new access token: told once, stored as a digest only (A6). */
export interface IssuedToken {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly scopes: ReadonlyArray<Scope>
}

type Needs = 'accessTokens' | 'clients' | 'clock' | 'failedAttempts' | 'secrets'

/**
 * Why no token is issued: an unknown client or a wrong secret, too many of those (A8), a scope that the client has not got (A4), or a
 * port that fails.
 */
export type IssueTokenError = InvalidClient | TooManyAttempts | InvalidScope | Unavailable

/** The client credentials grant (A4). `scope` is the space separated text of the request. */
export const makeIssueToken = (ports: Pick<AccessPorts, Needs>, policy: Pick<AccessPolicy, 'tokenTtl'>) => {
  const checkCredentials = makeCheckCredentials(ports)
  return (credentials: Credentials, scope: O.Option<string>): TE.TaskEither<IssueTokenError, IssuedToken> =>
    pipe(
      checkCredentials(credentials),
      TE.mapError((error): IssueTokenError => error),
      TE.bindTo('client'),
      TE.bind('scopes', ({ client }) =>
        TE.fromEither<IssueTokenError, ReadonlyArray<Scope>>(grantedScopes(client, scope)),
      ),
      TE.let('token', () => ports.secrets.mint()),
      TE.tap(({ client, scopes, token }) =>
        ports.accessTokens.add({
          digest: ports.secrets.digest(token),
          clientId: client.id,
          scopes,
          expiresAt: addMillis(ports.clock.now(), policy.tokenTtl * SECOND),
          life: policy.tokenTtl * SECOND,
        }),
      ),
      TE.map(({ scopes, token }) => ({ accessToken: token, expiresIn: policy.tokenTtl, scopes })),
    )
}
