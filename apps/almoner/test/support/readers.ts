import { systemClock } from '@almoner/adapters-node'
import type { Ports } from '@almoner/domain'
import type { Notification, Progress } from '@almoner/domain/notifications'
import type { DeviceToken } from '@almoner/domain/people'
import type { NotificationId } from '@almoner/domain/values'
import { done, sampleEmail, sampleNotification } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import { logLines } from './almoner.ts'
import { makeCurrent, onStore } from './database.ts'

/** The one reader of a test's notifications. */
export const READER = sampleEmail(1)

/** The token of the reader's n-th device, recognisable in any text. */
export const tokenOf = (n: number): DeviceToken => `fcm:a-secret-token-${n}` as DeviceToken

/** Makes a database whose one reader holds some devices. */
export const withDevices = async (folder: string, count: number): Promise<void> => {
  await makeCurrent(folder)
  await onStore(folder, async ({ devices }) => {
    const attachedAt = systemClock.now()
    for (let n = 0; n < count; n += 1)
      await done(devices.attach({ token: tokenOf(n), email: READER, kind: 'fcm', attachedAt }))
  })
}

/** Keeps a notification for the reader, due now unless told otherwise. */
export const schedule = async (
  folder: string,
  n: number,
  over: Partial<Notification> = {},
): Promise<NotificationId> => {
  const notification = sampleNotification(n, { date: O.some(systemClock.now()), ...over })
  await onStore(folder, ({ notifications }) => done(notifications.add(notification)))
  return notification.id
}

/** How far a notification has come in a store. */
export const progressIn = async (
  { notifications }: Pick<Ports, 'notifications'>,
  id: NotificationId,
): Promise<Progress> => {
  const found = await done(notifications.find(id))
  if (O.isNone(found) || O.isNone(found.value.progress)) throw new Error('it has not been taken up')
  return found.value.progress.value
}

/** Returns the devices of the pushes in a log, in order. */
export const pushedTo = (err: string): ReadonlyArray<number> =>
  logLines(err)
    .filter(({ msg }) => msg === 'push')
    .map(({ deviceId }) => Number(deviceId))
