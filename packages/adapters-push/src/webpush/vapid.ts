import type { Instant } from '@almoner/domain'
import type { Clock } from '@almoner/domain/ports'
import { addMillis, MINUTE, SECOND } from '@almoner/domain/values'
import webPush from 'web-push'
import type { VapidKeys } from './vapid-keys.ts'

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
  readonly authorization: string
  readonly at: Instant
}

/** Says who sends. */
export interface Vapid {
  /** The header for an origin: the one that is kept, else a new one. */
  headerFor(origin: string): Signed
  /** Forgets one that was refused. False when it is too young for another to fare better; one of the future was signed by a clock that was ahead (I9). */
  forget(origin: string, refused: Signed): boolean
}

/** Keeps headers by origin until shortly before they run out. The keys must have no `vapidFault`. */
export const makeVapid = ({ publicKey, privateKey, subject }: VapidKeys, clock: Clock): Vapid => {
  const kept = new Map<string, Signed>()

  const sign = (origin: string): Signed => {
    const at = clock.now()
    const expiry = Math.floor(addMillis(at, LIFE) / SECOND)
    const { Authorization } = webPush.getVapidHeaders(
      origin,
      subject,
      publicKey,
      privateKey,
      'aes128gcm',
      expiry,
    )
    return { authorization: Authorization, at }
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
