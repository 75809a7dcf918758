import { instant, MINUTE } from '@almoner/domain/values'
import { setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import t from 'tap'
import { DOUBT, watchSteps } from '../src/values/ports.ts'

const YEAR = 365 * 24 * 60 * MINUTE

t.test('I9: steps of more than a minute count for an hour, added up', async (t) => {
  const clock = setClock()
  const steps = watchSteps(clock)
  const set = (by: number) => clock.set(instant(clock.now() + by))
  t.equal(steps(), undefined)
  clock.advance(3 * YEAR)
  t.equal(steps(), undefined, 'time that passes is no step')
  set(MINUTE)
  t.equal(steps(), undefined, 'clocks are corrected by less')
  set(3 * YEAR)
  t.equal(steps(), 3 * YEAR)
  clock.advance(12_000)
  t.equal(steps(), 3 * YEAR)
  set(-3 * YEAR)
  t.equal(steps(), 0, 'there and back')
  clock.advance(DOUBT - 1)
  t.equal(steps(), 0)
  clock.advance(1)
  t.equal(steps(), undefined)
  set(-2 * MINUTE)
  t.equal(steps(), -2 * MINUTE, 'earlier ones are forgotten')
})

t.test('I9: a clock that is never set has no steps', async () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1e9)), (waits) => {
      let now = 0
      const steps = watchSteps({ now: () => instant(now) })
      return waits.every((wait) => {
        now += wait
        return steps() === undefined
      })
    }),
  )
})
