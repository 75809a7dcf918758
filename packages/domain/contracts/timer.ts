import type { Timer } from '../src/all.ts'
import type { ContractRunner } from './runner.ts'

/** What every `Timer` must do. */
export const timerContract = (runner: ContractRunner, make: () => Timer): void =>
  runner('a timer resolves, waits of no time and waits at once too', async (check) => {
    const timer = make()
    const rung = await Promise.all([0, 1, 2].map((milliseconds) => timer.wait(milliseconds)()))
    check.same(rung.length, 3)
    const wait = timer.wait(1)
    await wait()
    await wait()
    check.ok(true, 'and a wait can be waited for again')
  })
