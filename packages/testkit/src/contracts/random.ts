import type { Random } from '@almoner/domain/ports'
import type { ContractRunner } from './runner.ts'

/** Contract tests of `Random`. */
export const randomContract = (runner: ContractRunner, make: () => Random): void =>
  runner('G5: a random fraction is at least 0 and below 1', async (check) => {
    const random = make()
    const fractions = Array.from({ length: 10_000 }, () => random.fraction())
    check.ok(fractions.every((fraction) => fraction >= 0 && fraction < 1))
    const mean = fractions.reduce((sum, fraction) => sum + fraction, 0) / fractions.length
    check.ok(mean > 0.4 && mean < 0.6, `${mean} is near the middle`)
  })
