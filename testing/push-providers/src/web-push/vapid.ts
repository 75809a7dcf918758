import { createPublicKey, type KeyObject } from 'node:crypto'
import { type Jwt, readJwt } from '../credentials/jwt.ts'
import { reply, type ScriptedResponse } from '../server/answer.ts'

/** `exp` may not be more than 24 hours after the request (https://www.rfc-editor.org/rfc/rfc8292#section-2). */
const DAY = 86_400
/** The key as the uncompressed point of 65 bytes, base64url (https://www.rfc-editor.org/rfc/rfc8292#section-3.2). */
const POINT = /^B[\w-]{86}$/
/**
 * "mailto:" or "https:" (https://www.rfc-editor.org/rfc/rfc8292#section-2.1). The claim is optional there; Apple and Mozilla refuse a
 * token without one (https://blog.videah.net/web-push-pitfall), and Apple one of `localhost`
 * (https://github.com/web-push-libs/web-push/issues/947).
 */
const CONTACT = /^(?:mailto:[^@\s]+@(?!localhost)[^@\s]+|https:\/\/\S+)$/

const keyOf = (point: string): KeyObject | undefined => {
  if (!POINT.test(point)) return undefined
  const bytes = Buffer.from(point, 'base64url')
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((half) => half.toString('base64url'))
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' } as never)
  } catch {
    // Not a point of the curve.
    return undefined
  }
}

/** `vapid t=TOKEN, k=KEY`, in either order (https://www.rfc-editor.org/rfc/rfc8292#section-3). */
const parametersOf = (authorization: string): Readonly<Record<string, string>> | undefined => {
  const [, rest] = /^vapid (.+)$/i.exec(authorization) ?? []
  if (rest === undefined) return undefined
  return Object.fromEntries([...rest.matchAll(/\b([tk])=([\w.-]+)/g)].map(([, name, value]) => [name, value]))
}

const complaint = (jwt: Jwt | undefined, key: KeyObject | undefined, origin: string, now: number) => {
  if (jwt === undefined || key === undefined || !jwt.isSignedBy(key, 'ES256')) return 'BadJwtToken: signature'
  const { aud, exp, sub } = jwt.claims
  // The origin of the push resource (section 2).
  if (aud !== origin) return 'BadJwtToken: aud'
  if (typeof exp !== 'number' || exp <= now || exp > now + DAY) return 'BadJwtToken: exp'
  return typeof sub === 'string' && CONTACT.test(sub) ? undefined : 'BadJwtToken: sub'
}

/**
 * What a push service has against who sends: 401 where it is not said, 403 where it is said wrongly, or by another than the one that the
 * subscription is restricted to (https://www.rfc-editor.org/rfc/rfc8292#section-4.2).
 * @param now seconds since the epoch
 */
export const refuseSender = (
  authorization: string,
  restrictedTo: string | undefined,
  origin: string,
  now: number,
): ScriptedResponse | undefined => {
  const parameters = parametersOf(authorization)
  if (parameters === undefined) return reply(401, { 'www-authenticate': 'vapid' }, 'MissingAuthorization')
  const { t = '', k = '' } = parameters
  const wrong = complaint(readJwt(t), keyOf(k), origin, now)
  if (wrong !== undefined) return reply(403, {}, wrong)
  return restrictedTo === undefined || restrictedTo === k ? undefined : reply(403, {}, 'VapidPkHashMismatch')
}
