import type { Ids } from '@almoner/domain/ports'
import type { ContractRunner } from './runner.ts'

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
