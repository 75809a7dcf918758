import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readText } from '@almoner/adapters-node/files'
import type { ApnsOptions } from '@almoner/adapters-push/apns'
import type { FcmCredentials } from '@almoner/adapters-push/fcm'
import type { VapidKeys } from '@almoner/adapters-push/webpush'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { SETTINGS, type Settings } from '../../config/definitions.ts'
import { allOf, fault, type Validated } from './validated.ts'

/** Settings that may be left out. */
export type OptionalKey = {
  [K in keyof Settings]: Settings[K] extends O.Option<string> ? K : never
}[keyof Settings]

/** Returns the name of a setting's variable. */
export const nameOf = (key: keyof Settings): string => SETTINGS[key].name

/** Reads a setting that a provider requires. */
const required = (settings: Settings, key: OptionalKey, provider: string): Validated<string> =>
  pipe(
    settings[key],
    E.fromOption(() => [`${nameOf(key)} must be set: ALMONER_PUSH names ${provider}`] as const),
  )

/** Reads the file that a setting names. The system's message, beyond a few known words, may hold the path. */
const fileOf = async (path: string, key: OptionalKey): Promise<Validated<string>> => {
  const text = await readText(path)
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

/** Reads a private key, PEM; undefined when there is none, or one that needs a password. The error is dropped, since it may hold the text. */
const privateKeyIn = (text: string): KeyObject | undefined => {
  try {
    return createPrivateKey(text)
  } catch {
    return undefined
  }
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

const apnsKeyIn = (text: string): Validated<string> =>
  privateKeyIn(text)?.asymmetricKeyDetails?.namedCurve === 'prime256v1'
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

const notAccount = (what: string): Validated<never> =>
  fault(`${nameOf('fcmCredentials')} must be a service-account file: ${what}`)

const objectIn = (text: string): Validated<Readonly<Record<string, unknown>>> => {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null
      ? E.right({ ...json })
      : notAccount('it is no JSON object')
  } catch {
    return notAccount('it is no JSON')
  }
}

const accountIn = (json: Readonly<Record<string, unknown>>): Validated<FcmCredentials> => {
  const { type = 'service_account', token_uri } = json
  const field = (name: string): Validated<string> => {
    const value = json[name]
    return typeof value === 'string' && value.trim() !== '' ? E.right(value) : notAccount(`it lacks ${name}`)
  }
  const rsaKey = (pem: string): Validated<string> =>
    privateKeyIn(pem)?.asymmetricKeyType === 'rsa'
      ? E.right(pem)
      : notAccount('its private_key is no RSA private key')
  const uri = (): Validated<Pick<FcmCredentials, 'token_uri'>> => {
    if (token_uri === undefined) return E.right({})
    return typeof token_uri === 'string' && URL.parse(token_uri)?.protocol === 'https:'
      ? E.right({ token_uri })
      : notAccount('its token_uri is no https address')
  }
  return pipe(
    allOf({
      type: type === 'service_account' ? E.right(type) : notAccount('its type is another one'),
      project_id: field('project_id'),
      client_email: field('client_email'),
      private_key: E.flatMap(rsaKey)(field('private_key')),
      uri: uri(),
    }),
    E.map(({ type: _, uri, ...account }) => ({ ...account, ...uri })),
  )
}

/** Reads and checks the service account of the settings for FCM. */
export const readServiceAccount = async (settings: Settings): Promise<Validated<FcmCredentials>> =>
  pipe(await requiredFile(settings, 'fcmCredentials', 'fcm'), E.flatMap(objectIn), E.flatMap(accountIn))

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
