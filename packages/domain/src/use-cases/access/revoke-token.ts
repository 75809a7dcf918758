import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AccessPorts } from '../../ports/of-access.ts'
import type { Unavailable } from '../../values/ports.ts'
import type { TooManyAttempts } from './attempts.ts'
import { type Credentials, type InvalidClient, makeCheckCredentials } from './check-credentials.ts'

type Needs = 'accessTokens' | 'clients' | 'clock' | 'failedAttempts' | 'secrets'

/**
 * Ends a token of the client (RFC 7009). A token that is unknown, or another client's, is none of its business: the answer is
 * the same and nothing happens.
 */
export const makeRevokeToken = (ports: Pick<AccessPorts, Needs>) => {
  const checkCredentials = makeCheckCredentials(ports)
  return (
    credentials: Credentials,
    token: string,
  ): TE.TaskEither<InvalidClient | TooManyAttempts | Unavailable, void> =>
    pipe(
      checkCredentials(credentials),
      TE.flatMap((client) => ports.accessTokens.revoke(ports.secrets.digest(token), client.id)),
      TE.map(() => undefined),
    )
}
