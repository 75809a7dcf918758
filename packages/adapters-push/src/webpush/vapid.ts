import { createECDH, type JsonWebKey } from 'node:crypto'
import type { Instant } from '@almoner/domain'
import type { Clock } from '@almoner/domain/ports'
import { addMillis, MINUTE, SECOND } from '@almoner/domain/values'
import { readSigningKey, signJwt } from '../credentials.ts'

/** How this service says who it is to push services (RFC 8292). */
export interface VapidKeys {
  /** The uncompressed point, 65 bytes, in raw base64url. */
  readonly publicKey: string
  /** 32 bytes, in raw base64url. */
  readonly privateKey: string
  /** `mailto:` or `https:`, where a push service may ask who sends. */
  readonly subject: string
}

const PUBLIC_KEY = /^B[\w-]{86}$/
const PRIVATE_KEY = /^[\w-]{43}$/
/** Apple refuses `localhost` (https://github.com/web-push-libs/web-push/issues/947). */
const SUBJECT = /^(?:mailto:[^@\s]+@(?!localhost$)[^@\s]+|https:\/\/(?!localhost(?:[:/]|$))\S+)$/

const publicKeyOf = (privateKey: string): string => {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
    return pair.getPublicKey('base64url')
  } catch {
    // A number that is no private key of the curve has no public one.
    return ''
  }
}

/** Returns the error of a key pair without repeating the keys; undefined if it is valid. Asks no push service. */
export const vapidFault = ({ publicKey, privateKey, subject }: VapidKeys): string | undefined => {
  if (!PUBLIC_KEY.test(publicKey)) return 'The VAPID public key is not 65 bytes in base64url.'
  if (!PRIVATE_KEY.test(privateKey)) return 'The VAPID private key is not 32 bytes in base64url.'
  if (publicKeyOf(privateKey) !== publicKey) return 'The VAPID keys are no pair.'
  return SUBJECT.test(subject)
    ? undefined
    : 'The VAPID subject is no mailto: or https: address, or one at localhost.'
}

/** Half of the allowed time (24 h, https://www.rfc-editor.org/rfc/rfc8292#section-2), because clocks may differ. */
const LIFE = 12 * 60 * MINUTE
/** A header is signed again this long before it expires. */
const MARGIN = 10 * MINUTE
/** A rejected header is signed again if it is older than this: Apple allows one an hour, and would reject a younger one too. */
const YOUNG = 60 * MINUTE
/** The maximum number of cached headers: a list of hosts may allow all subdomains, and signing is cheap. */
const MOST_ORIGINS = 500

/** A header that says who sends, signed for one origin. */
export interface Signed {
  readonly authorization: Promise<string>
  readonly at: Instant
}

/** Says who sends. */
interface Vapid {
  /** The header for an origin: the one that is kept, else a new one. */
  headerFor(origin: string): Signed
  /** Forgets one that was refused. False when it is too young for another to fare better; one of the future was signed by a clock that was ahead (I9). */
  forget(origin: string, refused: Signed): boolean
}

/** The coordinates of an uncompressed point, after its first byte. */
const jwkOf = ({ publicKey, privateKey }: VapidKeys): JsonWebKey => {
  const point = Buffer.from(publicKey, 'base64url')
  const at = (from: number): string => point.subarray(from, from + 32).toString('base64url')
  return { kty: 'EC', crv: 'P-256', x: at(1), y: at(33), d: privateKey }
}

/**
 * Keeps headers by origin until shortly before they run out: `vapid t=JWT, k=KEY` (https://www.rfc-editor.org/rfc/rfc8292#section-3).
 * Keys that have a `vapidFault` may not sign.
 */
export const makeVapid = (keys: VapidKeys, clock: Clock): Vapid => {
  const signing = readSigningKey('ES256', { key: jwkOf(keys), format: 'jwk' })
  const kept = new Map<string, Signed>()

  const authorizationFor = async (origin: string, at: Instant): Promise<string> => {
    if (signing === undefined) throw new TypeError('The VAPID keys cannot sign.')
    const exp = Math.floor(addMillis(at, LIFE) / SECOND)
    const token = await signJwt(signing, { aud: origin, exp, sub: keys.subject }, { typ: 'JWT' })
    return `vapid t=${token}, k=${keys.publicKey}`
  }

  const sign = (origin: string): Signed => {
    const at = clock.now()
    return { authorization: authorizationFor(origin, at), at }
  }

  const isFresh = ({ at }: Signed): boolean => {
    const age = clock.now() - at
    return age >= 0 && age < LIFE - MARGIN
  }

  const keep = (origin: string, signed: Signed): Signed => {
    kept.delete(origin)
    kept.set(origin, signed)
    const [oldest = origin] = kept.keys()
    if (kept.size > MOST_ORIGINS) kept.delete(oldest)
    return signed
  }

  return {
    headerFor: (origin) => {
      const found = kept.get(origin)
      return found !== undefined && isFresh(found) ? found : keep(origin, sign(origin))
    },
    forget: (origin, refused) => {
      const age = clock.now() - refused.at
      if (age >= 0 && age < YOUNG) return false
      // Another push may have signed a new one meanwhile.
      if (kept.get(origin) === refused) kept.delete(origin)
      return true
    },
  }
}
