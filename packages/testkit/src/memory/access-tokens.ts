import type { AccessTokens } from '@almoner/domain/ports'
import { addMillis, type Instant, isFarAhead, isInLife, type Lifetime } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Tables } from './tables.ts'

/** Whether something ended before a moment, or was made by a clock that was ahead of it (I9). */
export const isExpired = ({ expiresAt, life }: Lifetime, before: Instant): boolean =>
  expiresAt < before || (life !== undefined && isFarAhead(addMillis(expiresAt, -life), before))

/** Access tokens in memory, by digest. */
export const memoryAccessTokens = ({ tokens, clients }: Tables): AccessTokens => ({
  add: (token) => async () => {
    tokens.set(token.digest, token)
    return E.right(undefined)
  },
  grantOf: (digest, now) =>
    TE.fromIO(() => {
      const token = tokens.get(digest)
      const client = token === undefined ? undefined : clients.get(token.clientId)?.client
      if (token === undefined || client === undefined || client.disabled) return O.none
      const { scopes, expiresAt, life } = token
      if (!isInLife(token, now)) return O.none
      return O.some({
        ...{ clientId: client.id, scopes, roles: client.roles, email: client.email, expiresAt },
        ...(life !== undefined && { issuedAt: addMillis(expiresAt, -life) }),
      })
    }),
  revoke: (digest, clientId) => async () =>
    E.right(tokens.get(digest)?.clientId === clientId && tokens.delete(digest)),
  purge: (before) => async () => {
    const expired = [...tokens.values()].filter((token) => isExpired(token, before))
    for (const { digest } of expired) tokens.delete(digest)
    return E.right(expired.length)
  },
})
