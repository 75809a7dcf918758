import type { Passkey } from '@almoner/domain/managers'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { orEmpty, under } from './codecs.ts'

/** A passkey as its manager sees it; `lastUsedAt` is `""` before the first use (M3). */
export const PasskeyJson = under('passkey', {
  id: t.string,
  name: t.string,
  createdAt: t.string,
  lastUsedAt: t.string,
})

/** Writes a passkey. */
export const encodePasskey = ({
  id,
  name,
  createdAt,
  lastUsedAt,
}: Passkey): t.OutputOf<typeof PasskeyJson> => ({
  passkey: {
    id,
    name,
    createdAt: toRfc3339(createdAt),
    lastUsedAt: orEmpty(O.map(toRfc3339)(lastUsedAt)),
  },
})

/** Options for the browser, as JSON text. */
export const OptionsJson = t.strict({ options: t.string })
