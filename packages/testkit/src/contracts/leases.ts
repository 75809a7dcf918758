import { firstLease, type JobLease } from '@almoner/domain/operations'
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
