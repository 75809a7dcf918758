import { deviceKeys, matchesFilter, newUser } from '@almoner/domain/people'
import type { DeadDevices } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { nextDeviceId } from './devices.ts'
import { recordAct } from './history.ts'
import type { Tables } from './tables.ts'

/** Dead devices in memory, in the order in which they were detached. */
export const memoryDeadDevices = (tables: Tables): DeadDevices => {
  const { deadDevices, devices, users } = tables
  return {
    list: (which) => ({
      batches: (async function* () {
        const found = [...deadDevices.values()].filter((one) => matchesFilter(one, which))
        if (found.length > 0) yield found
      })(),
      next: { _tag: 'None' },
    }),
    restore: (which, act) =>
      TE.fromIO(() => {
        const found = [...deadDevices.values()].filter((one) => matchesFilter(one, which))
        for (const { device } of found) {
          const { identity } = deviceKeys(device)
          deadDevices.delete(identity)
          if (!users.has(device.email)) users.set(device.email, newUser(device.email))
          devices.set(identity, { id: nextDeviceId(tables), device })
        }
        if (found.length > 0) recordAct(tables, act, { kind: 'users', id: '' })
        return found.length
      }),
    purge: (upto) =>
      TE.fromIO(() => {
        const old = [...deadDevices.values()].filter(({ detachedAt }) => detachedAt <= upto)
        for (const { device } of old) deadDevices.delete(deviceKeys(device).identity)
        return old.length
      }),
  }
}
