import {
  DEVICE_NOT_FOUND,
  type Device,
  type DeviceId,
  type DeviceKind,
  deviceKeys,
  type NamedDevice,
  NO_ACTING_USER,
  newUser,
} from '@almoner/domain/people'
import type { Devices } from '@almoner/domain/ports'
import type { DeviceIdentity, Language } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isStillBound } from './clients.ts'
import { recordUserAct } from './history.ts'
import { withReceipt } from './receipts.ts'
import type { Tables } from './tables.ts'

/** A device with the store's number, in the order of attachment. */
export interface Numbered {
  readonly id: DeviceId
  readonly device: Device
}

/** The devices of a language's subscribed readers, in order. */
export const audienceOf = ({ users, devices }: Tables, lang: Language): ReadonlyArray<Numbered> =>
  [...devices.values()]
    .filter(({ device }) => {
      const user = users.get(device.email)
      return user?.subscribed === true && user.lang === lang
    })
    .sort((a, b) => a.id - b.id)

/** Returns an unused device number. */
export const nextDeviceId = (tables: Tables): DeviceId => {
  tables.lastDevice += 1
  return tables.lastDevice as DeviceId
}

const isChange = (before: Device | undefined, after: Device): boolean =>
  before?.email !== after.email || before.kind !== after.kind

/** Returns the keys of the stored devices that are a named one (F4). */
const sameDevices = <A>(
  stored: ReadonlyMap<DeviceIdentity, A>,
  named: NamedDevice,
  deviceOf: (one: A) => Device,
): ReadonlyArray<DeviceIdentity> => {
  const { identity, otherwise } = deviceKeys(named)
  const isSame = (key: DeviceIdentity): boolean => {
    const found = stored.get(key)
    return found !== undefined && (key === identity || deviceOf(found).token === named.token)
  }
  return [identity, ...otherwise].filter(isSame)
}

/** Puts a device in the place of all that are the same one. Returns whether that is more than a renewal. */
const put = (tables: Tables, device: Device): boolean => {
  const { devices, deadDevices } = tables
  const held = sameDevices(devices, device, (one) => one.device)
  const own = held.map((key) => devices.get(key)).find((one) => one?.device.email === device.email)
  for (const key of held) devices.delete(key)
  for (const key of sameDevices(deadDevices, device, (one) => one.device)) deadDevices.delete(key)
  devices.set(deviceKeys(device).identity, { id: own?.id ?? nextDeviceId(tables), device })
  return isChange(own?.device, device)
}

/** Devices in memory. A moved device gets a new number with its new user. */
export const memoryDevices = (tables: Tables): Devices => {
  const { users, devices } = tables
  return {
    ofUser: (email) => ({
      batches: (async function* () {
        const theirs = [...devices.values()].filter(({ device }) => device.email === email)
        if (theirs.length > 0) yield theirs.sort((a, b) => a.id - b.id).map(({ device }) => device)
      })(),
      next: { _tag: 'None' },
    }),
    attach: (device, receipt, act) => async () => {
      if (!isStillBound(tables, act)) return E.left(NO_ACTING_USER)
      const attached = withReceipt(tables, receipt, (): E.Either<never, Device> => {
        if (!users.has(device.email)) users.set(device.email, newUser(device.email))
        if (put(tables, device)) recordUserAct(tables, act, device.email)
        return E.right(device)
      })
      return E.map(() => undefined)(attached)
    },
    detach: (email, named, act) => async () => {
      if (!isStillBound(tables, act)) return E.left(NO_ACTING_USER)
      const held = sameDevices(devices, named, (one) => one.device)
      const own = held.filter((key) => devices.get(key)?.device.email === email)
      if (own.length === 0) return E.left(DEVICE_NOT_FOUND)
      for (const key of own) devices.delete(key)
      recordUserAct(tables, act, email)
      return E.right(undefined)
    },
    audience: (lang) =>
      TE.fromIO(() => {
        const counts: Record<DeviceKind, number> = { fcm: 0, apns: 0, webpush: 0, unroutable: 0 }
        for (const { device } of audienceOf(tables, lang))
          counts[device.kind] = (counts[device.kind] ?? 0) + 1
        return counts
      }),
    countUnroutable: () =>
      TE.fromIO(() => [...devices.values()].filter(({ device }) => device.kind === 'unroutable').length),
  }
}
