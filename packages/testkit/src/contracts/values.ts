import type { Clock, Ids, Random, Timer } from '@almoner/domain/ports'
import type { ContractRunner } from './runner.ts'

/** Contract tests of `Clock`. */
export const clockContract = (runner: ContractRunner, make: () => Clock): void =>
  runner('a clock returns whole milliseconds within the years in which the service runs', async (check) => {
    const now = make().now()
    check.ok(Number.isSafeInteger(now))
    check.ok(now > Date.UTC(2020, 0, 1) && now < Date.UTC(2200, 0, 1))
  })

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Contract tests of `Ids`. */
export const idsContract = (runner: ContractRunner, make: () => Ids): void =>
  runner('C3: identifiers are UUIDv7 and grow in text order, also within one millisecond', async (check) => {
    const ids = make()
    for (const next of [(): string => ids.nextItemId(), (): string => ids.nextNotificationId()]) {
      const made = Array.from({ length: 20_000 }, next)
      check.ok(made.every((id) => UUID_V7.test(id)))
      check.ok(made.every((id, n) => n === 0 || id > (made[n - 1] ?? id)))
    }
  })

/** Contract tests of `Random`. */
export const randomContract = (runner: ContractRunner, make: () => Random): void =>
  runner('G5: a random fraction is at least 0 and below 1', async (check) => {
    const random = make()
    const fractions = Array.from({ length: 10_000 }, () => random.fraction())
    check.ok(fractions.every((fraction) => fraction >= 0 && fraction < 1))
    const mean = fractions.reduce((sum, fraction) => sum + fraction, 0) / fractions.length
    check.ok(mean > 0.4 && mean < 0.6, `${mean} is near the middle`)
  })

/** Contract tests of `Timer`. */
export const timerContract = (runner: ContractRunner, make: () => Timer): void =>
  runner('a timer resolves, also when it waits for no time', async (check) => {
    const timer = make()
    const rung = await Promise.all([0, 1, 2].map((milliseconds) => timer.wait(milliseconds)()))
    check.same(rung.length, 3)
    const wait = timer.wait(1)
    await wait()
    await wait()
    check.ok(true, 'a timer can wait again')
  })
