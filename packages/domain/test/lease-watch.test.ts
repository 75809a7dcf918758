import { sampleNotificationId } from '@almoner/testkit/contracts'
import { setClock } from '@almoner/testkit/memory'
import fc from 'fast-check'
import t from 'tap'
import { makeLeaseWatch } from '../src/delivery/review.ts'
import * as domain from './fixtures/domain.ts'

const { LEASE, instant } = domain

const leaseOf = (fence: number, until: number, number = 0): domain.Lease => ({
  ...{ notificationId: sampleNotificationId(1), number, fence, until: instant(until) },
})

const STEP = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), by: fc.integer({ min: -1e12, max: 1e12 }) }),
  fc.record({ kind: fc.constant('advance' as const), by: fc.integer({ min: 0, max: LEASE }) }),
  fc.record({ kind: fc.constant('renew' as const), by: fc.integer({ min: 1, max: 1e6 }) }),
)

t.test(
  'I9: a lease is abandoned once it was the same for its length by the clock that is never set, at any time of the other',
  async () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 30 }), (steps) => {
        const clock = setClock()
        const isAbandoned = makeLeaseWatch(clock)
        let until = Number(clock.now()) + LEASE
        let unchanged = 0
        const takes: Readonly<Record<string, (by: number) => void>> = {
          set: (by) => clock.set(instant(Math.max(0, clock.now() + by))),
          advance: (by) => {
            clock.advance(by)
            unchanged += by
          },
          renew: (by) => {
            until += by
            unchanged = 0
          },
        }
        isAbandoned(leaseOf(1, until))
        return steps.every(({ kind, by }) => {
          takes[kind]?.(by)
          return isAbandoned(leaseOf(1, until)) === unchanged >= LEASE
        })
      }),
    )
  },
)

t.test('I9: each lease is watched alone, and one under another fence is another one', async (t) => {
  const clock = setClock()
  const isAbandoned = makeLeaseWatch(clock)
  isAbandoned(leaseOf(1, 5))
  clock.advance(LEASE)
  t.notOk(isAbandoned(leaseOf(1, 5, 1)), 'another batch')
  t.ok(isAbandoned(leaseOf(1, 5)))
  t.notOk(isAbandoned(leaseOf(2, 5)), 'another holder')
  clock.advance(LEASE)
  t.ok(isAbandoned(leaseOf(2, 5)))
})

t.test('the watch forgets the lease that it has known longest', async (t) => {
  const clock = setClock()
  const isAbandoned = makeLeaseWatch(clock)
  for (let n = 0; n <= 1000; n += 1) isAbandoned(leaseOf(1, 5, n))
  clock.advance(LEASE)
  t.ok(isAbandoned(leaseOf(1, 5, 1000)))
  t.notOk(isAbandoned(leaseOf(1, 5, 0)))
})
