import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { AccessTokens } from '../../ports/access-tokens.ts'
import type { AccessPorts } from '../../ports/of-access.ts'
import type { ClientId } from '../../values/ids.ts'
import type { Unavailable } from '../../values/ports.ts'
import type { Instant } from '../../values/time.ts'

/** Access tokens whose uses are noted in memory, and the means to store what was noted. */
export interface RecordedUses {
  readonly accessTokens: AccessTokens
  /** Stores the last uses since the last call; returns of how many clients. After a failure the next call stores them too. */
  readonly storeUses: () => TE.TaskEither<Unavailable, number>
}

/**
 * Notes when each client was last used: it was issued a token, or one of its tokens was accepted. Requests only note it in memory, so that
 * they write nothing for it; call `storeUses` every few minutes and at the end.
 */
export const recordClientUses = ({
  accessTokens,
  clients,
  clock,
}: Pick<AccessPorts, 'accessTokens' | 'clients' | 'clock'>): RecordedUses => {
  let uses = new Map<ClientId, Instant>()
  return {
    accessTokens: {
      ...accessTokens,
      add: (token) => async () => {
        const added = await accessTokens.add(token)()
        if (E.isRight(added)) uses.set(token.clientId, clock.now())
        return added
      },
      grantOf: (digest, now) => async () => {
        const grant = await accessTokens.grantOf(digest, now)()
        if (E.isRight(grant) && O.isSome(grant.right)) uses.set(grant.right.value.clientId, now)
        return grant
      },
    },
    storeUses: () => async () => {
      if (uses.size === 0) return E.right(0)
      const noted = uses
      uses = new Map()
      const stored = await clients.noteUses(noted)()
      if (E.isRight(stored)) return E.right(noted.size)
      uses = new Map([...noted, ...uses])
      return stored
    },
  }
}
