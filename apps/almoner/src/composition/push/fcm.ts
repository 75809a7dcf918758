import { nodeTimer, systemClock } from '@almoner/adapters-node'
import { longestWait, paced } from '@almoner/adapters-push'
import { ANSWER_WITHIN, SECOND } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Open } from './provider.ts'
import { readServiceAccount } from './service-account.ts'

/** What is left of the time within which a push is answered for things other than waiting, in milliseconds. */
const MARGIN = 0.5 * SECOND

/** FCM, kept below the quota of the settings. What waiting for that can take is taken off the time that FCM is given. */
export const openFcmProvider: Open = async (settings, ca) => {
  const credentials = await readServiceAccount(settings)
  if (E.isLeft(credentials)) return credentials
  const { openFcm } = await import('@almoner/adapters-push/fcm')
  const { fcmUrl: url, fcmQuota: perMinute, pushWindow } = settings
  const patience = longestWait(perMinute, pushWindow)
  const limit = ANSWER_WITHIN - MARGIN - patience
  const clock = systemClock
  const fcm = openFcm({ credentials: credentials.right, url, clock, limit, ...(ca && { ca }) })
  return E.right({
    provider: 'fcm',
    gateway: paced(fcm, { perMinute, patience, clock, timer: nodeTimer }),
    check: fcm.check,
    close: fcm.close,
  })
}
