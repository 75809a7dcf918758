import { type Pause, toRfc3339 } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'

/** Returns a pause as JSON; `until` is empty where an operator has to end it. */
export const pauseDocument = ({ provider, reason, since, until }: Pause) => ({
  provider,
  reason,
  since: toRfc3339(since),
  until: O.match(() => '', toRfc3339)(until),
})
