import { freeSince, usedAhead } from '@almoner/domain/access'
import type { IdempotencyKeys } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { nameOfKey } from './receipts.ts'
import type { StoredKeyUse, Tables } from './tables.ts'

/** Idempotency keys in memory. */
export const memoryIdempotencyKeys = ({ keyUses }: Tables): IdempotencyKeys => {
  const remove = (goes: (use: StoredKeyUse) => boolean): number => {
    const gone = [...keyUses].filter(([, use]) => goes(use))
    for (const [name] of gone) keyUses.delete(name)
    return gone.length
  }
  return {
    find: (clientId, key, now) =>
      TE.fromIO(() => {
        const use = keyUses.get(nameOfKey(clientId, key))
        return use !== undefined && use.at > freeSince(now)
          ? O.some({ digest: use.digest, response: use.response })
          : O.none
      }),
    forget: (email) => TE.fromIO(() => remove(({ about }) => O.isSome(about) && about.value === email)),
    purge: (now) => TE.fromIO(() => remove(({ at }) => at <= freeSince(now) || at > usedAhead(now))),
  }
}
