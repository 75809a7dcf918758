import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type AuthenticatedCaller, authenticatedCallerOf } from '../../access/caller.ts'
import type { AccessPorts } from '../../ports/of-access.ts'
import type { Unavailable } from '../../values/ports.ts'

/** The token is unknown, revoked or expired, or its client is disabled (A5, A6). */
export interface InvalidToken {
  readonly _tag: 'InvalidToken'
}

/** The caller behind an access token, and when the token ends. */
export const makeAuthenticate =
  (ports: Pick<AccessPorts, 'accessTokens' | 'clock' | 'secrets'>) =>
  (token: string): TE.TaskEither<InvalidToken | Unavailable, AuthenticatedCaller> =>
    pipe(
      ports.accessTokens.grantOf(ports.secrets.digest(token), ports.clock.now()),
      TE.flatMap(TE.fromOption((): InvalidToken | Unavailable => ({ _tag: 'InvalidToken' }))),
      TE.map(authenticatedCallerOf),
    )
