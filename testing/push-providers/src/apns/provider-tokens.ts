import { createPublicKey } from 'node:crypto'
import type { ApnsKey } from '../credentials/apns-key.ts'
import { readJwt } from '../credentials/jwt.ts'
import type { ScriptedResponse } from '../server/answer.ts'
import type { Raw } from '../server/listen.ts'
import { apnsError } from './reasons.ts'

/** Where a provider token may not change within twenty minutes: on one connection, or wherever the key is used. */
export type TokenUpdates = 'connection' | 'key'

/** "If the value in the iat field is more than one hour old": ExpiredProviderToken (establishing-a-token-based-connection-to-apns). */
const HOUR = 3600
/** "Update the authentication token no more than once every 20 minutes" (handling-notification-responses-from-apns). */
const TWENTY_MINUTES = 1200
/** Clocks differ. */
const SKEW = 300

/** When a token came into use, by when it was issued: two tokens issued at the same second count as one. */
interface Use {
  readonly iat: number
  readonly since: number
}

/**
 * Looks at the provider token of each request: `authorization: bearer TOKEN`, a JWT with `alg` ES256 and `kid` in its header, `iss` (the
 * team) and `iat` among its claims, signed by the key
 * (https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns).
 *
 * Apple does not say of what the twenty minutes are counted. Where they are counted by the key, as clients have met it
 * (https://github.com/codedge-llc/pigeon/issues/226: "multiple workers should all be using the same token"), processes that issue tokens
 * of their own are refused.
 * @param now seconds since the epoch
 */
export const providerTokens = (key: ApnsKey, updates: TokenUpdates, now: () => number) => {
  const publicKey = createPublicKey(key.p8)
  const byConnection = new WeakMap<object, Use>()
  const everywhere = {}

  const isTooSoon = (connection: object, iat: number): boolean => {
    const place = updates === 'key' ? everywhere : connection
    const use = byConnection.get(place)
    if (use?.iat === iat) return false
    if (use !== undefined && now() - use.since < TWENTY_MINUTES) return true
    byConnection.set(place, { iat, since: now() })
    return false
  }

  return ({ headers, connection }: Raw): ScriptedResponse | undefined => {
    const [, token] = /^bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
    if (token === undefined) return apnsError('MissingProviderToken')
    const jwt = readJwt(token)
    const iat = jwt?.claims['iat']
    const isOurs =
      jwt?.header['kid'] === key.keyId &&
      jwt.claims['iss'] === key.teamId &&
      jwt.isSignedBy(publicKey, 'ES256')
    if (!isOurs || typeof iat !== 'number' || iat > now() + SKEW) return apnsError('InvalidProviderToken')
    if (now() - iat > HOUR) return apnsError('ExpiredProviderToken')
    return isTooSoon(connection, iat) ? apnsError('TooManyProviderTokenUpdates') : undefined
  }
}
