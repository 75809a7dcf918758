import type { Timer } from '@almoner/domain/ports'
import type { ContractRunner } from './runner.ts'

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
