import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import {
  type ClientId,
  CreateNotification,
  callerOf,
  DEFAULT_POLICY,
  decode,
  type Email,
  mediaAddressesBelow,
} from '@almoner/domain'
import { makeReportDelivery, makeReview } from '@almoner/domain/delivery'
import { makeCreateNotification } from '@almoner/domain/notifications'
import { AttachDevice, type Destination, makeAttachDevice } from '@almoner/domain/people'
import {
  type Check,
  type ContractRunner,
  deviceCodecContract,
  done,
  pushGatewayContract,
  samplePush,
} from '@almoner/testkit/contracts'
import { countingIds, evenRandom, instantTimer, memoryStore, setClock } from '@almoner/testkit/memory'
import { isRight } from 'fp-ts/lib/Either.js'
import { none, some } from 'fp-ts/lib/Option.js'
import { expoDevices } from './device.ts'
import { expoGateway } from './gateway.ts'

const check: Check = {
  same: (actual, expected) => assert.deepEqual(actual, expected),
  ok: (value, why = 'should hold') => assert.ok(value, why),
}
const runner: ContractRunner = (name, body) => {
  test(name, () => body(check))
}

const tokenOf = (n: number) => `ExponentPushToken[device-number-${n}]`
const destinationOf = (n: number): Destination => ({ provider: 'expo', token: tokenOf(n) })

interface Sent {
  readonly to: string
  readonly title: string
}

/** A local server in place of Expo's, which records the messages, and a gateway to it. */
const openExpo = async (status: number, answer: object) => {
  const sent: Array<Sent> = []
  const server = createServer(async (request, response) => {
    sent.push((await json(request)) as Sent)
    response.writeHead(status, { 'retry-after': '7' }).end(JSON.stringify(answer))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await once(server.close(), 'close')
  }
  return { pushGateway: expoGateway({ url: `http://127.0.0.1:${port}` }), sent, close }
}

const TAKEN = { data: { status: 'ok', id: '1' } }
const refusedFor = (error: string) => ({ data: { status: 'error', details: { error } } })

deviceCodecContract(runner, expoDevices, [tokenOf(1), tokenOf(2), 'ExpoPushToken[another_device]'])

pushGatewayContract(
  runner,
  async (provider) => {
    const expo = await openExpo(200, TAKEN)
    // A port without a listener.
    if (provider === 'gone') await expo.close()
    return expo
  },
  destinationOf,
)

test('each answer of Expo means what the tables say', async () => {
  const answers: ReadonlyArray<readonly [number, object, string]> = [
    [200, TAKEN, 'Delivered'],
    [200, refusedFor('DeviceNotRegistered'), 'Unregistered'],
    [200, refusedFor('MessageTooBig'), 'Refused'],
    [200, refusedFor('InvalidCredentials'), 'SenderError'],
    [200, refusedFor('MessageRateExceeded'), 'Retry'],
    [401, {}, 'SenderError'],
    [429, {}, 'Retry'],
  ]
  for (const [status, answer, tag] of answers) {
    const { pushGateway, close } = await openExpo(status, answer)
    const result = await pushGateway.send(samplePush(1, { destination: destinationOf(1) }))()
    assert.equal(result._tag, tag)
    if (status === 429 && result._tag === 'Retry') assert.deepEqual(result.after, some(7000))
    await close()
  }
})

test('a donor attaches a phone of Expo, and a notification reaches it', async () => {
  const { pushGateway, sent, close } = await openExpo(200, TAKEN)
  const clock = setClock()
  const policy = { ...DEFAULT_POLICY, deviceCodecs: [expoDevices] }
  const ports = {
    ...memoryStore(),
    clock,
    ids: countingIds(),
    random: evenRandom,
    timer: instantTimer(clock),
    mediaAddresses: mediaAddressesBelow('https://api.example.org'),
    pushGateway,
  }
  const amina = 'amina@example.org' as Email
  const donor = callerOf({
    clientId: 'app' as ClientId,
    scopes: ['user-donor'],
    roles: [],
    email: some(amina),
  })
  const manager = callerOf({
    clientId: 'app' as ClientId,
    scopes: ['content-manager'],
    roles: [],
    email: none,
  })

  const attach = decode(AttachDevice)({ email: amina, device_token: tokenOf(1) })
  assert.ok(isRight(attach))
  assert.equal((await done(makeAttachDevice(ports, policy)(donor, attach.right))).kind, 'expo')

  const date = String(Math.floor(clock.now() / 1000))
  const create = decode(CreateNotification)({ lang: 'en', title: 'Wells', resource_type: 'Library', date })
  assert.ok(isRight(create))
  const { notification } = await done(makeCreateNotification(ports, policy)(manager, create.right))
  await done(makeReview(ports, policy)({ window: 10 }))

  assert.deepEqual(
    sent.map(({ to, title }) => [to, title]),
    [[tokenOf(1), 'Wells']],
  )
  const report = await done(makeReportDelivery(ports)(manager, { id: notification.id }))
  assert.ok(JSON.stringify(report).includes('"delivered":1'))
  await close()
})
