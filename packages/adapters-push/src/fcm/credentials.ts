import { createPrivateKey } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { readSigningKey } from '../credentials.ts'

/** The used members of a service-account file from the Google Cloud console. */
export interface FcmCredentials {
  readonly project_id: string
  readonly client_email: string
  /** PEM. */
  readonly private_key: string
  /** Where access tokens are had; Google's own when left out. */
  readonly token_uri?: string
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const isHttps = (value: unknown): boolean => isText(value) && URL.parse(value)?.protocol === 'https:'

/** Returns the error of a private key. Drops that of Node, since it may hold the text. */
const keyFaults = (pem: string): ReadonlyArray<string> => {
  if (readSigningKey('RS256', pem) !== undefined) return []
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa')
      return ['its private_key has fewer than 2,048 bits: create another key in the Google Cloud console']
  } catch {
    // It is no private key at all.
  }
  return ['its private_key is no RSA private key']
}

const objectIn = (text: string): E.Either<string, Readonly<Record<string, unknown>>> => {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? E.right({ ...json }) : E.left('it is no JSON object')
  } catch {
    return E.left('it is no JSON')
  }
}

/** Returns the credentials in the text of a service-account file, or a line for each error. No line repeats the text. */
export const parseServiceAccount = (
  text: string,
): E.Either<ReadonlyNonEmptyArray<string>, FcmCredentials> => {
  const json = objectIn(text)
  if (E.isLeft(json)) return E.left([json.left])
  const { type = 'service_account', project_id, client_email, private_key, token_uri } = json.right
  const needed = { project_id, client_email, private_key }
  const lacking = Object.entries(needed).filter(([, value]) => !isText(value))
  const errors = [
    ...(type === 'service_account' ? [] : ['its type is another one']),
    ...lacking.map(([name]) => `it lacks ${name}`),
    ...(isText(private_key) ? keyFaults(private_key) : []),
    ...(token_uri === undefined || isHttps(token_uri) ? [] : ['its token_uri is no https address']),
  ]
  if (RA.isNonEmpty(errors)) return E.left(errors)
  // Every field was checked above.
  return E.right({ ...needed, ...(token_uri !== undefined && { token_uri }) } as FcmCredentials)
}
