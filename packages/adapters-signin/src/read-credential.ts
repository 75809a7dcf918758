import { PasskeyId } from '@almoner/domain/managers'
import * as O from 'fp-ts/lib/Option.js'

/** A `PublicKeyCredential` as JSON, with what it says about itself. */
export interface CredentialJson {
  readonly id: string
  readonly challenge: string
  readonly json: unknown
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

const decoded = (value: unknown): string =>
  typeof value === 'string' ? Buffer.from(value, 'base64url').toString() : ''

/** Reads the JSON text of a `PublicKeyCredential`; none if it lacks its id or its challenge. Nothing is checked. */
export const readCredential = (text: string): O.Option<CredentialJson> => {
  const json = parse(text)
  const id = member(json, 'id')
  const clientData = parse(decoded(member(member(json, 'response'), 'clientDataJSON')))
  const challenge = decoded(member(clientData, 'challenge'))
  return PasskeyId.is(id) && challenge !== '' ? O.some({ id, challenge, json }) : O.none
}
