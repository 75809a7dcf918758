import {
  ALLOWED_FAILURES,
  authenticatedCallerOf,
  isInTime,
  lockedUntil,
  memoryFailedAttempts,
  requirePresence,
  SOURCES,
} from '@almoner/domain/access'
import { addMillis, type ClientId, instant, MINUTE } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'

const NOW = instant(1_700_000_000_000)
const YEARS = 3 * 365 * 24 * 60 * MINUTE
const STEPS = [1, 30_000, MINUTE - 1, MINUTE, MINUTE + 1, 121 * MINUTE, YEARS]

for (const source of SOURCES)
  for (const step of STEPS) {
    t.test(
      `A8, I9: a block of a ${source} holds for a minute at most where the clock is set back by ${step} ms`,
      async (t) => {
        const attempts = memoryFailedAttempts()
        for (let n = 0; n < ALLOWED_FAILURES[source]; n += 1)
          attempts.add(source, 'key', addMillis(NOW, step))
        const until = (moment: typeof NOW) => lockedUntil(source, attempts.of(source, 'key', moment), moment)
        const first = until(NOW)
        t.ok(O.isNone(first) || first.value <= addMillis(NOW, MINUTE))
        t.strictSame(until(addMillis(NOW, MINUTE)), O.none)
      },
    )
    t.test(
      `A8, I9: a block of a ${source} is over where the clock is set ahead by a minute and ${step} ms`,
      async (t) => {
        const attempts = memoryFailedAttempts()
        for (let n = 0; n < ALLOWED_FAILURES[source]; n += 1) attempts.add(source, 'key', NOW)
        const later = addMillis(NOW, MINUTE + step)
        t.strictSame(lockedUntil(source, attempts.of(source, 'key', later), later), O.none)
      },
    )
  }

const LIFE = 10 * MINUTE
const callerAt = (issuedAt = NOW) =>
  authenticatedCallerOf({
    ...{ clientId: 'app' as ClientId, scopes: ['user'], roles: [], email: O.none },
    ...{ expiresAt: addMillis(issuedAt, LIFE), issuedAt },
  })

for (const [ahead, isLetIn] of [
  [-LIFE, false],
  [-LIFE + 1, true],
  [0, true],
  [MINUTE, true],
  [MINUTE + 1, false],
  [YEARS, false],
] as const) {
  t.test(
    `I9: a cached caller whose token is of ${ahead} ms from now is ${isLetIn ? '' : 'not '}let in`,
    async (t) => {
      t.equal(isInTime(callerAt(addMillis(NOW, ahead)), NOW), isLetIn)
    },
  )
  t.test(`M4, I9: a proof of presence of ${ahead / 2} ms from now counts as one of its age`, async (t) => {
    const moment = addMillis(NOW, ahead < 0 ? ahead / 2 : ahead)
    const caller = { ...callerAt(), confirmedAt: moment }
    t.equal(E.isRight(requirePresence(NOW)(caller)), isLetIn)
  })
}
