import type { TokenDigest } from '@almoner/domain/access'
import { MANAGER_DISABLED, MANAGER_NOT_FOUND } from '@almoner/domain/managers'
import type { OneTimeSecret, OneTimeSecrets, SecretPurpose } from '@almoner/domain/ports'
import { isInLife } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isExpired } from './access-tokens.ts'
import { recordUserAct } from './history.ts'
import type { Tables } from './tables.ts'

/** Returns a stored secret of a purpose, which may have ended. */
export const secretIn = (
  { oneTimeSecrets }: Tables,
  digest: TokenDigest,
  purpose: SecretPurpose,
): OneTimeSecret | undefined => {
  const secret = oneTimeSecrets.get(digest)
  return secret?.purpose === purpose ? secret : undefined
}

/** One-time secrets in memory. */
export const memoryOneTimeSecrets = (tables: Tables): OneTimeSecrets => {
  const { oneTimeSecrets } = tables
  return {
    putChallenge: (challenge) =>
      TE.fromIO(() => void oneTimeSecrets.set(challenge.digest, { ...challenge, email: O.none })),
    put: (secret, act) => async () => {
      const manager = tables.managers.get(secret.email)
      if (manager === undefined) return E.left(MANAGER_NOT_FOUND)
      if (manager.disabled) return E.left(MANAGER_DISABLED)
      oneTimeSecrets.set(secret.digest, { ...secret, email: O.some(secret.email) })
      return E.right(recordUserAct(tables, act, secret.email, [], 'manager'))
    },
    find: (digest, purpose, now) =>
      TE.fromIO(() => {
        const secret = secretIn(tables, digest, purpose)
        return secret !== undefined && isInLife(secret, now) ? O.some(secret) : O.none
      }),
    take: (digest, purpose, now) =>
      TE.fromIO(() => {
        const secret = secretIn(tables, digest, purpose)
        if (secret === undefined) return O.none
        oneTimeSecrets.delete(digest)
        return isInLife(secret, now) ? O.some(secret) : O.none
      }),
    purge: (before) =>
      TE.fromIO(() => {
        const expired = [...oneTimeSecrets.values()].filter((secret) => isExpired(secret, before))
        for (const { digest } of expired) oneTimeSecrets.delete(digest)
        return expired.length
      }),
  }
}
