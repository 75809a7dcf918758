import type { FailedAttempts } from '@almoner/domain/ports'
import { addMillis, type Instant, instant, MINUTE } from '@almoner/domain/values'
import type { ContractRunner } from './runner.ts'

const start = instant(1_700_000_000_000)
const at = (seconds: number): Instant => addMillis(start, seconds * 1000)

/** Contract tests of `FailedAttempts`. */
export const failedAttemptsContract = (runner: ContractRunner, make: () => FailedAttempts): void => {
  runner('A8: failures are stored by source and key for a minute', async (check) => {
    const attempts = make()
    attempts.add('pair', 'a', at(0))
    attempts.add('pair', 'a', at(30))
    attempts.add('address', 'a', at(31))
    check.same(attempts.of('pair', 'a', at(31)), [at(0), at(30)])
    check.same(attempts.of('address', 'a', at(31)), [at(31)])
    check.same(attempts.of('pair', 'b', at(31)), [])
    check.same(attempts.of('pair', 'a', addMillis(start, MINUTE)), [at(30)])
  })

  runner('A8: failures from before the clock was set back by an hour are dropped', async (check) => {
    const attempts = make()
    attempts.add('pair', 'a', at(3600))
    check.same(attempts.of('pair', 'a', at(0)), [])
    attempts.add('pair', 'a', at(0))
    check.same(attempts.of('pair', 'a', at(0)), [at(0)])
  })

  runner('A8: only the failures that the limit needs are stored', async (check) => {
    const attempts = make()
    for (let n = 0; n < 30; n += 1) attempts.add('pair', 'a', at(n))
    check.same(attempts.of('pair', 'a', at(30)).length, 10)
  })

  runner('memory is bounded: a flood of keys does not grow it without limit', async (check) => {
    const attempts = make()
    for (let n = 0; n < 50_000; n += 1) attempts.add('pair', `key ${n}`, at(0))
    const kept = Array.from({ length: 50_000 }, (_, n) => attempts.of('pair', `key ${n}`, at(1)).length)
    const total = kept.reduce((a, b) => a + b, 0)
    check.ok(total <= 20_000, `${total} stored`)
    check.same(attempts.of('pair', 'key 49999', at(1)), [at(0)], 'the latest is stored')
  })
}
