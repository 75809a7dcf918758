import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readText } from '@almoner/adapters-node/files'
import type { ApnsOptions } from '@almoner/adapters-push/apns'
import type { FcmCredentials } from '@almoner/adapters-push/fcm'
import type { VapidKeys } from '@almoner/adapters-push/webpush'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { SETTINGS, type Settings } from '../../config/definitions.ts'

/** A value, or a line for each of its errors. No line repeats the value of a setting or the content of a file. */
export type Validated<A> = E.Either<ReadonlyNonEmptyArray<string>, A>

/** One line against a value. */
const fault = (line: string): Validated<never> => E.left([line])

const linesOf = (checked: Validated<unknown>): ReadonlyArray<string> =>
  E.isLeft(checked) ? checked.left : []

/** All values by their names, or every line against any of them, in order. */
const allOf = <A extends object>(parts: { readonly [K in keyof A]: Validated<A[K]> }): Validated<A> => {
  const entries = Object.entries<Validated<unknown>>(parts)
  const [first, ...rest] = entries.flatMap(([, part]) => linesOf(part))
  if (first !== undefined) return E.left([first, ...rest])
  const values = entries.flatMap(([name, part]) => (E.isRight(part) ? [[name, part.right]] : []))
  // Each name came with the value that its own part holds.
  return E.right(Object.fromEntries(values) as A)
}

/** Settings that may be left out. */
export type OptionalKey = {
  [K in keyof Settings]: Settings[K] extends O.Option<string> ? K : never
}[keyof Settings]

/** Returns the name of a setting's variable. */
export const nameOf = (key: keyof typeof SETTINGS): string => SETTINGS[key].name

/** Reads a setting that a provider requires. */
const required = (settings: Settings, key: OptionalKey, provider: string): Validated<string> =>
  pipe(
    settings[key],
    E.fromOption(() => [`${nameOf(key)} must be set: ALMONER_PUSH names ${provider}`] as const),
  )

/** Bytes of a file with credentials or certificates: a list of all usual authorities has a quarter of it (H4). */
const LARGEST = 1024 * 1024

/** Reads the file that a setting names. The system's message, beyond a few known words, may hold the path. */
const fileOf = async (path: string, key: OptionalKey): Promise<Validated<string>> => {
  const text = await readText(path, LARGEST)
  if (E.isRight(text)) return text
  const [why] = text.left.split(':')
  return fault(`${nameOf(key)} must be the path of a file that can be read: it ${why}`)
}

const requiredFile = async (
  settings: Settings,
  key: OptionalKey,
  provider: string,
): Promise<Validated<string>> => {
  const path = required(settings, key, provider)
  return E.isLeft(path) ? path : fileOf(path.right, key)
}

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

const isCertificate = (pem: string): boolean => {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** Reads the certificates that the settings trust besides the usual ones, PEM; undefined when they name none. */
export const readAuthority = async ({ pushCa }: Settings): Promise<Validated<string | undefined>> => {
  if (O.isNone(pushCa)) return E.right(undefined)
  const text = await fileOf(pushCa.value, 'pushCa')
  if (E.isLeft(text)) return text
  const found = text.right.match(CERTIFICATES) ?? []
  if (found.length > 0 && found.every(isCertificate)) return text
  const why = found.length === 0 ? 'it holds none' : 'one in it cannot be read'
  return fault(`${nameOf('pushCa')} must be a file of certificates, PEM: ${why}`)
}

/** Drops the error of a key that cannot be read, since it may hold the text. */
const isApnsKey = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

const apnsKeyIn = (text: string): Validated<string> =>
  isApnsKey(text)
    ? E.right(text)
    : fault(`${nameOf('apnsKey')} must be a .p8 file as Apple gives it out: it holds no private key of P-256`)

/** Reads and checks the key of the settings for APNs. */
export const readApnsKey = async (
  settings: Settings,
): Promise<Validated<Pick<ApnsOptions, 'key' | 'keyId' | 'teamId' | 'topic'>>> =>
  allOf({
    key: pipe(await requiredFile(settings, 'apnsKey', 'apns'), E.flatMap(apnsKeyIn)),
    keyId: required(settings, 'apnsKeyId', 'apns'),
    teamId: required(settings, 'apnsTeamId', 'apns'),
    topic: required(settings, 'apnsTopic', 'apns'),
  })

/** Reads and checks the service account of the settings for FCM. */
export const readServiceAccount = async (settings: Settings): Promise<Validated<FcmCredentials>> => {
  const file = await requiredFile(settings, 'fcmCredentials', 'fcm')
  if (E.isLeft(file)) return file
  const { parseServiceAccount } = await import('@almoner/adapters-push/fcm')
  const name = nameOf('fcmCredentials')
  return pipe(
    parseServiceAccount(file.right),
    E.mapLeft(RNEA.map((what) => `${name} must be a service-account file: ${what}`)),
  )
}

/**
 * Reads and checks the keys of the settings for Web Push.
 * @param faultOf returns the error of a key pair without the keys
 */
export const readVapidKeys = (
  settings: Settings,
  faultOf: (keys: VapidKeys) => string | undefined,
): Validated<VapidKeys> => {
  const keys = allOf({
    publicKey: required(settings, 'vapidPublicKey', 'webpush'),
    privateKey: required(settings, 'vapidPrivateKey', 'webpush'),
    subject: required(settings, 'vapidSubject', 'webpush'),
  })
  const wrong = E.isRight(keys) ? faultOf(keys.right) : undefined
  if (wrong === undefined) return keys
  const names = (['vapidPublicKey', 'vapidPrivateKey', 'vapidSubject'] as const).map(nameOf)
  return fault(`${names.join(', ')}: ${wrong}`)
}
