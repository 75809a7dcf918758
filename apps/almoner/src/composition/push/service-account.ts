import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Settings } from '../../config/definitions.ts'
import { allOf, type Checked, fault } from './checked.ts'
import { privateKeyIn } from './private-key.ts'
import { nameOf, requiredFile } from './required.ts'

/** What is used of a service-account file. */
export interface ServiceAccount {
  readonly project_id: string
  readonly client_email: string
  /** PEM, RSA. */
  readonly private_key: string
  readonly token_uri?: string
}

const KEY = 'fcmCredentials'

const wrong = (what: string): Checked<never> =>
  fault(`${nameOf(KEY)} must be a service-account file: ${what}`)

const jsonIn = (text: string): Checked<Readonly<Record<string, unknown>>> => {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? E.right({ ...json }) : wrong('it is no JSON object')
  } catch {
    return wrong('it is no JSON')
  }
}

const isSecure = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:'

/** Google's own token endpoint where the file names none. */
const tokenUriOf = (json: Readonly<Record<string, unknown>>): Checked<Pick<ServiceAccount, 'token_uri'>> => {
  const { token_uri } = json
  if (token_uri === undefined) return E.right({})
  return typeof token_uri === 'string' && isSecure(token_uri)
    ? E.right({ token_uri })
    : wrong('its token_uri is no https address')
}

const fieldsOf = (json: Readonly<Record<string, unknown>>): Checked<ServiceAccount> => {
  const field = (name: string): Checked<string> => {
    const value = json[name]
    return typeof value === 'string' && value.trim() !== '' ? E.right(value) : wrong(`it lacks ${name}`)
  }
  const key = (pem: string): Checked<string> =>
    privateKeyIn(pem)?.asymmetricKeyType === 'rsa'
      ? E.right(pem)
      : wrong('its private_key is no RSA private key')
  const isOther = json['type'] !== undefined && json['type'] !== 'service_account'
  return pipe(
    allOf({
      type: isOther ? wrong('its type is another one') : E.right('service_account'),
      project_id: field('project_id'),
      client_email: field('client_email'),
      private_key: E.flatMap(key)(field('private_key')),
      uri: tokenUriOf(json),
    }),
    E.map(({ project_id, client_email, private_key, uri }) => ({
      project_id,
      client_email,
      private_key,
      ...uri,
    })),
  )
}

/** The service account that the settings name, for FCM, read and checked. */
export const readServiceAccount = async (settings: Settings): Promise<Checked<ServiceAccount>> =>
  pipe(await requiredFile(settings, KEY, 'fcm'), E.flatMap(jsonIn), E.flatMap(fieldsOf))
