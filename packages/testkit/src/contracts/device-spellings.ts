import { type DeviceKind, type DeviceToken, PROVIDERS, recognise } from '@almoner/domain/people'

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
