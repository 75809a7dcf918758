import { ALLOWED_CODES, refusesCodes, withWrongCode } from '@almoner/domain/managers'
import { addMillis, type Instant, instant, MINUTE } from '@almoner/domain/values'
import fc from 'fast-check'
import t from 'tap'

const [HOUR, START] = [60 * MINUTE, instant(1_700_000_000_000)]

/** Tries wrong codes, each some time after the one before. Returns when each was compared, and the stored list. */
const tryAll = (waits: ReadonlyArray<number>) => {
  const compared: Array<Instant> = []
  let [now, stored]: [Instant, ReadonlyArray<Instant>] = [START, []]
  for (const wait of waits) {
    now = addMillis(now, wait)
    if (refusesCodes(stored, now)) continue
    compared.push(now)
    stored = withWrongCode(stored, now)
  }
  return { compared, stored, now }
}

const steady = fc.array(fc.oneof(fc.nat(2 * MINUTE), fc.nat(2 * HOUR)), { maxLength: 60 })

t.test('M9: of wrong codes at any times, no more than ten are compared in an hour', async (t) => {
  const property = fc.property(steady, (waits) => {
    const { compared } = tryAll(waits)
    return compared.every((moment, n) => {
      const eleventh = compared[n + ALLOWED_CODES]
      return eleventh === undefined || eleventh - moment >= HOUR
    })
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('M9: codes are refused for one hour after the tenth wrong one, and for no other reason', async (t) => {
  const property = fc.property(steady, fc.nat(2 * HOUR), (waits, wait) => {
    const { compared, stored, now } = tryAll(waits)
    const at = addMillis(now, wait)
    const [tenth, last] = [compared.at(-ALLOWED_CODES), compared.at(-1)]
    const isFull = tenth !== undefined && last !== undefined && last - tenth < HOUR
    return refusesCodes(stored, at) === (isFull && at - last < HOUR)
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test(
  'M9: after a step of the clock codes are refused for no longer than an hour and a minute',
  async (t) => {
    const steps = fc.array(fc.integer({ min: -3 * HOUR, max: HOUR }), { maxLength: 60 })
    const property = fc.property(steps, fc.integer({ min: -3 * HOUR, max: 0 }), (waits, step) => {
      const { stored, now } = tryAll(waits)
      const at = addMillis(now, step)
      return !refusesCodes(stored, at) || !refusesCodes(stored, addMillis(at, HOUR + MINUTE))
    })
    t.doesNotThrow(() => fc.assert(property))
    const full = Array.from({ length: ALLOWED_CODES }, () => START)
    for (const [ahead, isRefused] of [
      [0, true],
      [MINUTE, true],
      [MINUTE + 1, false],
      [HOUR, false],
    ] as const)
      t.equal(refusesCodes(full, addMillis(START, -ahead)), isRefused, `${ahead} ms back`)
  },
)
