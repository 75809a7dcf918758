import {
  type DeviceCodec,
  type DeviceKind,
  type DeviceToken,
  destinationOf,
  isProviderName,
  PROVIDERS,
  type Provider,
  recognise,
} from '@almoner/domain/people'
import { collect } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import {
  type DeliveriesFixture,
  type DeliveriesUnderTest,
  dead,
  givenDeliveries,
} from '../delivery/fixture.ts'
import { type ContractRunner, seeded } from '../runner.ts'
import { done, SAMPLE_MOMENT, sampleDevice, sampleEmail, sampleMoment } from '../samples.ts'

const SUBSCRIPTION = JSON.stringify({
  endpoint: 'https://push.example.org/1',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
})

/** Tokens that the service knows without a codec, and some of no kind. */
const FOREIGN: ReadonlyArray<string> = [
  'fcm:one',
  'fid:one',
  'apns:one',
  'apns-sandbox:one',
  'a1'.repeat(32),
  'xyz:APA91bExample',
  SUBSCRIPTION,
  `webpush:${SUBSCRIPTION}`,
  '',
  ' ',
  'of no kind',
  '😀',
]

/** What every `DeviceCodec` must do, given a few tokens of its kind. */
export const deviceCodecContract = <P extends Provider>(
  runner: ContractRunner,
  codec: DeviceCodec<P>,
  tokens: readonly [string, ...ReadonlyArray<string>],
): void => {
  const { provider } = codec
  const builtIn: ReadonlyArray<Provider> = PROVIDERS

  runner('F5: its provider has a name that stores accept and no other kind has', async (check) => {
    check.ok(isProviderName(provider), provider)
    check.ok(!builtIn.includes(provider), provider)
  })

  runner('F5: each token of its kind leads to its provider, the same each time', async (check) => {
    for (const token of tokens) {
      check.same(codec.recognise(token)?.provider, provider)
      check.same(codec.recognise(token), codec.recognise(token))
    }
    check.same(
      new Set(tokens.map((token) => JSON.stringify(codec.recognise(token)))).size,
      new Set(tokens).size,
    )
  })

  runner('F5: it takes no token of another kind, and other rules take none of its tokens', async (check) => {
    for (const token of FOREIGN) check.same(codec.recognise(token), undefined)
    for (const token of tokens) check.same(recognise(token), undefined)
  })

  runner('F5: with it, a token is recognised, and found again for sending', async (check) => {
    for (const token of tokens) {
      const destination = codec.recognise(token)
      check.same(recognise(token, undefined, [codec]), destination)
      check.same(recognise(token, 'fcm', [codec]), destination, 'before the default of the deployment')
      check.same(destinationOf(token, provider, [codec]), destination)
      check.same(destinationOf(token, 'unroutable', [codec]), undefined, 'as it was recorded when attached')
    }
  })
}

/** Returns a pseudorandom integer from 0 to below its argument. */
type Random = (below: number) => number

const pick = <A>(random: Random, all: ReadonlyArray<A>): A => all[random(all.length)] as A

const textOf = (random: Random, alphabet: string, length: number): string =>
  Array.from({ length }, () => pick(random, [...alphabet])).join('')

const HEX = '0123456789abcdef'
const URL_SAFE = `ghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ${HEX}-_`

const anyCase = (random: Random, text: string): string =>
  [...text].map((one) => (random(2) === 0 ? one.toUpperCase() : one)).join('')

const prefixed = (random: Random, prefix: string, text: string): string =>
  random(2) === 0 ? text : `${prefix}${text}`

const shuffled = <A>(random: Random, all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all
    .map((one) => ({ one, at: random(1000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)

const P256DH = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
const AUTH = 'BTBZMqHH6r4Tts7J_aSIgg'

/** Writes an endpoint in another way that is sent to in the same way. */
const endpointSpelt = (random: Random, host: string, path: string): string =>
  `${pick(random, ['https://', 'HTTPS://'])}${anyCase(random, host)}${pick(random, ['', ':443'])}${path}${pick(random, ['', '#top'])}`

/** Writes JSON with any order of members, any spaces, further members and escapes. */
const jsonSpelt = (random: Random, members: Readonly<Record<string, unknown>>): string => {
  const text = JSON.stringify(Object.fromEntries(shuffled(random, Object.entries(members))), null, random(3))
  const spaced = `${pick(random, ['', ' ', '\n'])}${text}${pick(random, ['', ' '])}`
  return random(3) === 0 ? spaced.replace('/w', '\\/\\u0077') : spaced
}

type Destination = (random: Random) => () => string

/** By kind of destination: makes one, and writes it in one of its ways each time. */
const DESTINATIONS: Readonly<Record<string, Destination>> = {
  apns: (random) => {
    const token = textOf(random, HEX, 64 + 2 * random(20))
    return () => prefixed(random, 'apns:', anyCase(random, token))
  },
  sandbox: (random) => {
    const token = textOf(random, HEX, 64)
    return () => `apns-sandbox:${anyCase(random, token)}`
  },
  fcm: (random) => {
    const token = `${textOf(random, URL_SAFE, 22)}:APA91b${textOf(random, URL_SAFE, 30)}`
    return () => prefixed(random, 'fcm:', token)
  },
  fid: (random) => {
    const token = `${pick(random, [...'cdef'])}${textOf(random, URL_SAFE, 21)}`
    return () => prefixed(random, 'fid:', token)
  },
  webpush: (random) => {
    const host = pick(random, [
      'fcm.googleapis.com',
      'updates.push.services.mozilla.com',
      'web.push.apple.com',
    ])
    const path = `/w/${textOf(random, URL_SAFE, 20)}${pick(random, ['', `?token=${textOf(random, URL_SAFE, 8)}`])}`
    return () => {
      const keys = jsonSpelt(random, { p256dh: P256DH, auth: AUTH })
      const more = random(2) === 0 ? {} : { expirationTime: null }
      const members = { endpoint: endpointSpelt(random, host, path), keys: JSON.parse(keys), ...more }
      return prefixed(random, 'webpush:', jsonSpelt(random, members))
    }
  },
}

/** A destination, and texts of tokens that lead to it. */
export interface SpeltDevice {
  readonly name: string
  readonly kind: DeviceKind
  readonly texts: ReadonlyArray<DeviceToken>
}

/** Returns a destination of every kind, each in several spellings (F4). */
export const spellDevices = (random: Random, spellings: number): ReadonlyArray<SpeltDevice> =>
  Object.entries(DESTINATIONS).map(([name, destination]) => {
    const spell = destination(random)
    const texts = Array.from({ length: spellings }, () => spell() as DeviceToken)
    const kind = PROVIDERS.find((provider) => recognise(texts[0] ?? '')?.provider === provider)
    return { name, kind: kind ?? 'unroutable', texts }
  })

/** Starts a notification to this number of readers, in one batch. */
const sending = async (setup: DeliveriesFixture, readers: number) => {
  await setup.readers(0, readers)
  await setup.notification(1)
  await setup.start()
  return setup.claimed()
}

const devicesOf = (setup: DeliveriesFixture, n: number) => collect(setup.devices.ofUser(sampleEmail(n)))
const ANY = { provider: O.none, since: O.none }

/** Contract tests of `DeadDevices`, together with the deliveries of the same store. */
export const deadDevicesContract = (
  runner: ContractRunner,
  make: () => Promise<DeliveriesUnderTest>,
): void => {
  const given = givenDeliveries(runner, make)

  given('G5: dead devices can be listed, and restored unchanged', async (check, setup) => {
    const batch = await sending(setup, 3)
    const listed = (over = {}) => collect(setup.deadDevices.list({ ...ANY, ...over }))
    check.same(await listed(), [])
    const ids = batch.recipients.map(({ deviceId }) => deviceId)
    for (const [n, id] of ids.entries())
      await done(setup.record(batch.claim, [dead(SAMPLE_MOMENT)(id)], { now: sampleMoment(n) }))
    const expected = [0, 1, 2].map((n) => ({ device: sampleDevice(n), detachedAt: sampleMoment(n) }))
    check.same(await listed(), expected)
    check.same(await listed({ since: O.some(sampleMoment(1)) }), expected.slice(1))
    check.same(await listed({ provider: O.some('apns') }), [])
    check.same(await listed({ provider: O.some('fcm') }), expected)
    check.same(await done(setup.deadDevices.restore({ ...ANY, provider: O.some('apns') })), 0)
    const which = { provider: O.some('fcm' as const), since: O.some(sampleMoment(1)) }
    check.same(await done(setup.deadDevices.restore(which)), 2)
    check.same(await done(setup.deadDevices.restore(which)), 0)
    check.same(await listed(), expected.slice(0, 1))
    check.same([await devicesOf(setup, 0), await devicesOf(setup, 2)], [[], [sampleDevice(2)]])
    await setup.notification(2)
    await setup.start()
    const next = await setup.claimed()
    check.same(next.recipients.length, 2, 'pushes from now on reach them')
    check.ok(next.recipients.every(({ deviceId }) => !ids.includes(deviceId)))
  })

  given('F4: a dead device that its user attaches again cannot be restored', async (check, setup) => {
    const batch = await sending(setup, 2)
    await setup.recordAll(batch, dead(SAMPLE_MOMENT))
    await done(setup.devices.attach(sampleDevice(0, { email: sampleEmail(1), attachedAt: sampleMoment(5) })))
    await done(setup.devices.detach(sampleEmail(1), sampleDevice(0)))
    check.same((await collect(setup.deadDevices.list(ANY))).length, 1)
    await done(setup.deadDevices.restore(ANY))
    check.same([await devicesOf(setup, 0), await devicesOf(setup, 1)], [[], [sampleDevice(1)]])
  })

  given('F4: attaching a device by any text takes it off the list of the dead', async (check, setup) => {
    const spelt = spellDevices(seeded(7), 3)
    for (const [n, { kind, texts }] of spelt.entries())
      await done(setup.devices.attach(sampleDevice(n, { kind, token: texts[0] as DeviceToken })))
    await setup.notification(1)
    await setup.start()
    await setup.recordAll(await setup.claimed(), dead(SAMPLE_MOMENT))
    check.same((await collect(setup.deadDevices.list(ANY))).length, spelt.length)
    for (const [n, { name, kind, texts }] of spelt.entries()) {
      await done(setup.devices.attach(sampleDevice(n, { kind, token: texts[1] as DeviceToken })))
      check.same((await collect(setup.deadDevices.list(ANY))).length, spelt.length - n - 1, name)
    }
    check.same(await done(setup.deadDevices.restore(ANY)), 0)
  })

  given('G5: purging deletes dead devices that are old enough', async (check, setup) => {
    const batch = await sending(setup, 3)
    for (const [n, { deviceId }] of batch.recipients.entries())
      await done(setup.record(batch.claim, [dead(SAMPLE_MOMENT)(deviceId)], { now: sampleMoment(n) }))
    check.same(await done(setup.deadDevices.purge(sampleMoment(1))), 2)
    check.same(await done(setup.deadDevices.purge(sampleMoment(1))), 0)
    check.same((await collect(setup.deadDevices.list(ANY))).length, 1)
  })
}
