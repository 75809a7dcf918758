import { firstLease, type JobLease } from '@almoner/domain/operations'
import type { NodeLog, NotedFailures, NotedRequests } from '@almoner/domain/ports'
import { addMillis, type Instant, MINUTE } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type Check, type ContractRunner, onEach, type UnderTest } from './runner.ts'
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

/** Registers what holds of all logs over which nodes exchange. @param entry makes an entry of a node that was noted `number` seconds after the sample moment */
const nodeLogTests = <Entry extends { readonly at: Instant }>(
  given: (name: string, body: (check: Check, log: NodeLog<Entry>) => Promise<void>) => void,
  entry: (number: number, node: string, at?: Instant) => Entry,
) => {
  const [now, since] = [sampleMoment(9), sampleMoment(-60)]
  const sorted = (all: ReadonlyArray<Entry>) => [...all].sort((a, b) => a.at - b.at)

  given('A8: a node reads what others have noted since a moment', async (check, log) => {
    const [first, second, other] = [entry(1, 'one'), entry(2, 'one'), entry(4, 'two')]
    await done(log.add([first, second], now))
    await done(log.add([other], now))
    const read = async (node: string, at = since, most = 10) =>
      sorted(await done(log.ofOthers(node, at, most)))
    check.same(await read('two'), [first, second])
    check.same(await read('one'), [other])
    check.same(await read('three'), [first, second, other])
    check.same(await read('three', sampleMoment(2)), [second, other], 'that moment included')
    check.same(await read('three', since, 2), [second, other], 'the latest')
  })

  given('A8, I9: what no longer counts is deleted by the next write', async (check, log) => {
    const [old, ahead] = [entry(5, 'one', addMillis(now, -MINUTE)), entry(6, 'one', addMillis(now, MINUTE))]
    const [least, most] = [
      entry(7, 'one', addMillis(now, 1 - MINUTE)),
      entry(8, 'one', addMillis(now, MINUTE - 1)),
    ]
    await done(log.add([old, ahead, least, most], now))
    await done(log.add([entry(9, 'two')], now))
    check.same(sorted(await done(log.ofOthers('two', addMillis(now, -2 * MINUTE), 10))), [least, most])
  })
  return { now, since, sorted }
}

/** A store for one test. */
export type FailureLogUnderTest = UnderTest<'failureLog'>

/** Contract tests of `FailureLog`. */
export const failureLogContract = (
  runner: ContractRunner,
  make: () => Promise<FailureLogUnderTest>,
): void => {
  const given = onEach(runner, make, ({ failureLog }) => failureLog)
  const noted = (number: number, node = 'one', at = sampleMoment(number)): NotedFailures => ({
    ...{ node, number, key: 'a digest', failures: 3, at },
    source: number === 4 ? 'address' : 'pair',
  })
  const { now, since, sorted } = nodeLogTests(given, noted)

  given('A8: what is noted again stays as it was', async (check, failureLog) => {
    for (const entries of [[noted(1)], [noted(1), noted(2)]]) await done(failureLog.add(entries, now))
    check.same(sorted(await done(failureLog.ofOthers('two', since, 10))), [noted(1), noted(2)])
  })
}

/** A store for one test. */
export type RequestLogUnderTest = UnderTest<'requestLog'>

/** Contract tests of `RequestLog`. */
export const requestLogContract = (
  runner: ContractRunner,
  make: () => Promise<RequestLogUnderTest>,
): void => {
  const given = onEach(runner, make, ({ requestLog }) => requestLog)
  const noted = (number: number, node = 'one', at = sampleMoment(number)): NotedRequests => ({
    ...{ node, key: `digest ${number}`, begun: sampleMoment(number - 20), requests: 100 * number, at },
  })
  const { now, since, sorted } = nodeLogTests(given, noted)

  given('A8: of a node and a key, the last report counts', async (check, requestLog) => {
    const other = noted(1, 'two', sampleMoment(3))
    await done(requestLog.add([noted(1), noted(2), other], now))
    const next: NotedRequests = { ...noted(1), begun: sampleMoment(4), requests: 7, at: sampleMoment(5) }
    await done(requestLog.add([next], now))
    check.same(sorted(await done(requestLog.ofOthers('three', since, 10))), [noted(2), other, next])
  })

  given('A8: hundreds of keys are stored at once', async (check, requestLog) => {
    const reports = Array.from({ length: 234 }, (_, n) => ({ ...noted(1), key: `digest ${n}` }))
    const keys = async () => (await done(requestLog.ofOthers('two', since, 300))).map(({ key }) => key).sort()
    await done(requestLog.add(reports, now))
    check.same(await keys(), reports.map(({ key }) => key).sort())
  })
}
