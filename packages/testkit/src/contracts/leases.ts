import { firstLease, type JobLease } from '@almoner/domain/operations'
import type { NotedFailures } from '@almoner/domain/ports'
import { addMillis, MINUTE } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done, SAMPLE_MOMENT, sampleMoment } from './samples.ts'

/** A store for one test. */
export type JobLeasesUnderTest = UnderTest<'jobLeases'>

/** Contract tests of `JobLeases`. */
export const jobLeasesContract = (runner: ContractRunner, make: () => Promise<JobLeasesUnderTest>): void => {
  const given = onEach(runner, make, ({ jobLeases }) => jobLeases)
  const lease = (over: Partial<JobLease> = {}): JobLease => ({
    ...{ job: 'sweep images', step: 1, heldUntil: O.some(sampleMoment(60)), ranAt: O.some(SAMPLE_MOMENT) },
    ...over,
  })

  given('leases: the lease of a job is stored, apart from those of others', async (check, jobLeases) => {
    check.same(await done(jobLeases.find('sweep images')), firstLease('sweep images'))
    const other = lease({ job: 'purge «tokens»', heldUntil: O.none })
    for (const one of [lease(), other]) check.same(await done(jobLeases.replace(one)), true)
    check.same(await done(jobLeases.find('sweep images')), lease())
    check.same(await done(jobLeases.find(other.job)), other)
    const next = lease({ step: 2, heldUntil: O.none, ranAt: O.none })
    check.same(await done(jobLeases.replace(next)), true)
    check.same(await done(jobLeases.find('sweep images')), next)
    check.same(await done(jobLeases.find(other.job)), other)
  })

  given('leases: only the process that knows the latest state replaces it', async (check, jobLeases) => {
    const offer = (next: JobLease) => done(jobLeases.replace(next))
    check.same(await offer(lease({ step: 2 })), false, 'none was there')
    check.same(await done(jobLeases.find('sweep images')), firstLease('sweep images'))
    await offer(lease())
    for (const step of [1, 3]) check.same(await offer(lease({ step, ranAt: O.none })), false, `step ${step}`)
    check.same(await done(jobLeases.find('sweep images')), lease())
  })

  for (const step of [1, 2])
    given(`leases: of several that take step ${step} at once, one gets it`, async (check, jobLeases) => {
      if (step > 1) await done(jobLeases.replace(lease()))
      const offers = [1, 2, 3].map((n) => lease({ step, heldUntil: O.some(sampleMoment(n)) }))
      const taken = await Promise.all(offers.map((next) => done(jobLeases.replace(next))))
      check.same(taken.filter(Boolean).length, 1)
      check.same(await done(jobLeases.find('sweep images')), offers[taken.indexOf(true)])
    })
}

/** A store for one test. */
export type FailureLogUnderTest = UnderTest<'failureLog'>

/** Contract tests of `FailureLog`. */
export const failureLogContract = (
  runner: ContractRunner,
  make: () => Promise<FailureLogUnderTest>,
): void => {
  const given = onEach(runner, make, ({ failureLog }) => failureLog)
  const noted = (number: number, over: Partial<NotedFailures> = {}): NotedFailures => ({
    ...{ node: 'one', number, source: 'pair', key: 'a digest', failures: 3, at: sampleMoment(number) },
    ...over,
  })
  const [now, since] = [sampleMoment(9), sampleMoment(-60)]
  const sorted = (all: ReadonlyArray<NotedFailures>) => [...all].sort((a, b) => a.at - b.at)

  given('A8: a node reads what others have noted since a moment', async (check, failureLog) => {
    const other = noted(4, { node: 'two', source: 'address', key: 'x', failures: 1 })
    await done(failureLog.add([noted(1), noted(2)], now))
    await done(failureLog.add([other], now))
    const read = async (node: string, at = since, most = 10) =>
      sorted(await done(failureLog.ofOthers(node, at, most)))
    check.same(await read('two'), [noted(1), noted(2)])
    check.same(await read('one'), [other])
    check.same(await read('three'), [noted(1), noted(2), other])
    check.same(await read('three', sampleMoment(2)), [noted(2), other], 'that moment included')
    check.same(await read('three', since, 2), [noted(2), other], 'the latest')
  })

  given('A8: what is noted again stays as it was', async (check, failureLog) => {
    await done(failureLog.add([noted(1)], now))
    await done(failureLog.add([noted(1, { failures: 9 }), noted(2)], now))
    check.same(sorted(await done(failureLog.ofOthers('two', since, 10))), [noted(1), noted(2)])
  })

  given('A8, I9: what no longer counts is deleted by the next write', async (check, failureLog) => {
    const [old, ahead] = [noted(5, { at: addMillis(now, -MINUTE) }), noted(6, { at: addMillis(now, MINUTE) })]
    const [least, most] = [
      noted(7, { at: addMillis(now, 1 - MINUTE) }),
      noted(8, { at: addMillis(now, MINUTE - 1) }),
    ]
    await done(failureLog.add([old, ahead, least, most], now))
    await done(failureLog.add([noted(9, { node: 'two' })], now))
    check.same(sorted(await done(failureLog.ofOthers('two', addMillis(now, -2 * MINUTE), 10))), [least, most])
  })
}
