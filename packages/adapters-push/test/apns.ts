import type { Instant } from '@almoner/domain'
import type { Push } from '@almoner/domain/notifications'
import type { Destination } from '@almoner/domain/people'
import { instant } from '@almoner/domain/values'
import {
  type ApnsOptions as LoopbackOptions,
  makeApnsKey,
  makeAuthority,
  openApns as openLoopbackApns,
} from '@almoner/push-providers'
import { samplePush } from '@almoner/testkit/contracts'
import type { Test } from 'tap'
import { type ApnsOptions, openApns } from '../src/apns/index.ts'
import { PATIENT } from './time.ts'

export const authority = await makeAuthority()
export const key = makeApnsKey()
export const TOPIC = 'org.example.app'
export const DEVICE = 'a1'.repeat(32)

export const clock = { now: (): Instant => instant(Date.now()) }

/** Options for a gateway whose provider token this key signs. */
export const optionsFor = (url: string, over: Partial<ApnsOptions> = {}): ApnsOptions => ({
  key: key.p8,
  keyId: key.keyId,
  teamId: key.teamId,
  topic: TOPIC,
  clock,
  url,
  sandboxUrl: url,
  ca: authority.ca,
  limit: PATIENT,
  ...over,
})

export const openLoopback = async (t: Test, over: Partial<LoopbackOptions> = {}) => {
  const apns = await openLoopbackApns({ certificate: await authority.leaf(), key, topic: TOPIC, ...over })
  t.teardown(apns.stop)
  return apns
}

/** A gateway with its provider; `send` pushes to a device. */
export const withApns = async (
  t: Test,
  over: Partial<ApnsOptions> = {},
  loopback: Partial<LoopbackOptions> = {},
) => {
  const apns = await openLoopback(t, loopback)
  const gateway = openApns(optionsFor(apns.origin, over))
  t.teardown(gateway.close)
  const send = (push: Partial<Push> = {}) => gateway.send(pushTo(DEVICE, push))()
  return { apns, gateway, send }
}

export const apnsDevice = (token: string, sandbox = false): Destination => ({
  provider: 'apns',
  sandbox,
  token,
})

export const pushTo = (token: string, over: Partial<Push> = {}): Push =>
  samplePush(1, { destination: apnsDevice(token), ...over })
