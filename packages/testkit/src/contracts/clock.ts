import type { Clock } from '@almoner/domain/ports'
import type { ContractRunner } from './runner.ts'

/** Contract tests of `Clock`. */
export const clockContract = (runner: ContractRunner, make: () => Clock): void =>
  runner('a clock returns whole milliseconds within the years in which the service runs', async (check) => {
    const now = make().now()
    check.ok(Number.isSafeInteger(now))
    check.ok(now > Date.UTC(2020, 0, 1) && now < Date.UTC(2200, 0, 1))
  })
