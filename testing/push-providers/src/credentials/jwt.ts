import { type KeyObject, verify } from 'node:crypto'
import { isRecord, type Json, parseJson } from '../server/json.ts'

/** A token that has been taken apart, and not yet been believed. */
export interface Jwt {
  readonly header: Json
  readonly claims: Json
  /** Whether the key has signed it, by the algorithm that its header must name. */
  isSignedBy(key: KeyObject, algorithm: 'RS256' | 'ES256'): boolean
}

const part = (text: string): Json | undefined => {
  const value = parseJson(Buffer.from(text, 'base64url').toString())
  return isRecord(value) ? value : undefined
}

/**
 * Takes a signed token in its compact form apart (https://www.rfc-editor.org/rfc/rfc7515#section-3.1).
 * @returns undefined when it is not three parts of which two are JSON objects
 */
export const readJwt = (token: string): Jwt | undefined => {
  const [head = '', body = '', signature, more] = token.split('.')
  const [header, claims] = [part(head), part(body)]
  if (header === undefined || claims === undefined || signature === undefined || more !== undefined)
    return undefined
  return {
    header,
    claims,
    isSignedBy: (key, algorithm) =>
      header['alg'] === algorithm &&
      verify(
        'sha256',
        Buffer.from(`${head}.${body}`),
        // An ES256 signature is the two numbers as they are (https://www.rfc-editor.org/rfc/rfc7518#section-3.4).
        algorithm === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' } : key,
        Buffer.from(signature, 'base64url'),
      ),
  }
}
