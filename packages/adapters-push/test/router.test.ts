import { refused } from '@almoner/domain/notifications'
import { type Destination, recognise } from '@almoner/domain/people'
import type { PushGateway } from '@almoner/domain/ports'
import { samplePush } from '@almoner/testkit/contracts'
import { memoryPushGateway } from '@almoner/testkit/memory'
import t from 'tap'
import { byProvider } from '../src/index.ts'

const subscription = { endpoint: 'https://push.example.org/a', keys: { p256dh: 'key', auth: 'secret' } }
const TOKENS = { fcm: 'fcm:a', apns: 'apns:00ff', webpush: JSON.stringify(subscription) } as const

const pushTo = (provider: keyof typeof TOKENS) =>
  samplePush(1, { destination: recognise(TOKENS[provider]) as Destination })

const sized = (bytes: number): PushGateway => ({ ...memoryPushGateway(), bytesOf: () => bytes })

t.test('G5: each push goes to the provider of its device', async (t) => {
  const gateways = { fcm: memoryPushGateway(), apns: memoryPushGateway(), webpush: memoryPushGateway() }
  const gateway = byProvider(gateways)
  for (const provider of ['fcm', 'apns', 'webpush'] as const) {
    t.match(await gateway.send(pushTo(provider))(), { _tag: 'Delivered' })
    t.match(gateways[provider].pushes(), [{ destination: { provider } }])
    t.equal(gateways[provider].pushes().length, 1)
  }
})

t.test('G7: a device of a missing provider is rejected, and counts as failed', async (t) => {
  const fcm = memoryPushGateway()
  t.strictSame(await byProvider({ fcm }).send(pushTo('apns'))(), refused('no gateway'))
  t.strictSame(await byProvider({}).send(pushTo('fcm'))(), refused('no gateway'))
  t.strictSame(
    [{ fcm }, { fcm, webpush: fcm }, {}].map((gateways) => [...(byProvider(gateways).providers ?? [])]),
    [['fcm'], ['fcm', 'webpush'], []],
    'the reason names the available ones',
  )
  t.strictSame(fcm.pushes(), [])
})

t.test('G6: the size of a message is the largest among the providers', async (t) => {
  const { message } = samplePush(1)
  t.equal(byProvider({ fcm: sized(10), apns: sized(30), webpush: sized(20) }).bytesOf(message), 30)
  t.equal(byProvider({ webpush: sized(20) }).bytesOf(message), 20)
})

t.test('G6: services that take less are those of the available providers', async (t) => {
  const { message } = samplePush(1)
  const smaller = { service: 'firefox-android', bytes: 1, most: 3070 } as const
  const webpush = { ...memoryPushGateway(), smallerLimits: () => [smaller] }
  t.strictSame(byProvider({ fcm: sized(1), webpush }).smallerLimits?.(message), [smaller])
  t.strictSame(byProvider({ fcm: sized(1) }).smallerLimits?.(message), [])
})
