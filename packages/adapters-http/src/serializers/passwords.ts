import type { StoredPassword } from '@almoner/domain/managers'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, orEmpty, under } from './codecs.ts'

/** A password as its manager sees it; times are `""` where there is none (M3). */
export const PasswordJson = under('password', {
  isSet: t.boolean,
  changedAt: t.string,
  lastUsedAt: t.string,
  recoveryCodesLeft: t.Int,
})

/** Writes whether there is a password, and what its manager sees of it. */
export const encodePassword = (found: O.Option<StoredPassword>): t.OutputOf<typeof PasswordJson> => {
  const time = (of: (password: StoredPassword) => O.Option<Parameters<typeof toRfc3339>[0]>) =>
    orEmpty(O.map(toRfc3339)(O.flatMap(of)(found)))
  return {
    password: {
      isSet: O.isSome(found),
      changedAt: time(({ changedAt }) => O.some(changedAt)),
      lastUsedAt: time(({ lastUsedAt }) => lastUsedAt),
      recoveryCodesLeft: int(O.isSome(found) ? found.value.recoveryCodes.length : 0),
    },
  }
}

/** A secret for an authenticator app, and the URI from which the app takes it. */
export const TotpSecretJson = t.strict({ secret: t.string, uri: t.string })

/** Recovery codes, which are shown once. */
export const RecoveryCodesJson = t.strict({ recoveryCodes: t.array(t.string) })
