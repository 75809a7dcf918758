import type { Push } from '@almoner/domain/notifications'
import type { Destination } from '@almoner/domain/people'
import type { Clock } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import {
  openFcm as atLoopback,
  type FcmOptions as LoopbackOptions,
  makeAuthority,
} from '@almoner/push-providers'
import { samplePush } from '@almoner/testkit/contracts'
import type { Test } from 'tap'
import { type FcmOptions, openFcm } from '../src/fcm/open-fcm.ts'
import { PATIENT } from './time.ts'

export const authority = await makeAuthority()

/** The machine's clock, as the provider has it. */
export const clock: Clock = { now: () => instant(Date.now()) }

/** FCM on loopback with a gateway that sends to it; both end with the test. */
export const withFcm = async (
  t: Pick<Test, 'teardown'>,
  over: Partial<FcmOptions> = {},
  provider: Partial<LoopbackOptions> = {},
) => {
  // Google's clock is right where ours is: an assertion of another time would be refused.
  const { now } = over.clock ?? clock
  const fcm = await atLoopback({ certificate: await authority.leaf(), now, ...provider })
  const given = { credentials: fcm.account, url: fcm.origin, ca: authority.ca, clock, limit: PATIENT }
  const gateway = openFcm({ ...given, ...over })
  t.teardown(async () => {
    await gateway.close()
    await fcm.stop()
  })
  /** Sends a sample to a token. */
  const push = (token: string, more: Partial<Push> = {}) =>
    gateway.send(pushTo({ provider: 'fcm', form: 'token', token }, more))()
  return { fcm, gateway, push }
}

/** A sample for a device. */
export const pushTo = (destination: Destination, more: Partial<Push> = {}): Push =>
  samplePush(1, { destination, ...more })
