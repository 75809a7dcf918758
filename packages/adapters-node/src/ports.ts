import { hash, randomFillSync, scrypt, timingSafeEqual } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ItemId } from '@almoner/domain'
import type { TokenDigest } from '@almoner/domain/access'
import { EXTENSIONS, type MediaName } from '@almoner/domain/media'
import {
  type Clock,
  type Ids,
  type Random,
  type SecretMatch,
  type Secrets,
  type Timer,
  unavailable,
} from '@almoner/domain/ports'
import { instant, type NotificationId } from '@almoner/domain/values'
import * as TE from 'fp-ts/lib/TaskEither.js'
import pLimit from 'p-limit'
import { v7 } from 'uuid'

/** The machine's clock. It may be set back; what must only grow does not rely on it. */
export const systemClock: Clock = { now: () => instant(Date.now()), elapsed: () => performance.now() }

/** Pieces that one call of the generator fills: it takes longer than all else that makes an identifier or a token. */
const PIECES = 128

/** Returns a function that draws random bytes of this number. Each are given once, and overwritten by the next call. */
const makeDraw = (bytes: number): (() => Buffer) => {
  const block = Buffer.alloc(PIECES * bytes)
  let used = block.length
  return () => {
    if (used === block.length) {
      randomFillSync(block)
      used = 0
    } else block.fill(0, used - bytes, used)
    used += bytes
    return block.subarray(used - bytes, used)
  }
}

const ID_BYTES = 16
const drawId = makeDraw(ID_BYTES)

/** The time of the last identifier, and its counter: 32 bits behind the time. */
let [msecs, seq] = [0, 0]

/** Returns the next UUIDv7. Within a millisecond, and while the clock is behind, the counter grows (RFC 9562 §6.2). */
const nextId = (): string => {
  const random = drawId()
  const now = Date.now()
  if (now > msecs) {
    // Leaves half of the counter's range to identifiers of the same time.
    const [first = 0, second = 0, third = 0, fourth = 0] = random
    msecs = now
    seq = ((first & 0x7f) << 24) | (second << 16) | (third << 8) | fourth
  } else {
    seq = (seq + 1) | 0
    if (seq === 0) msecs += 1
  }
  return v7({ random, msecs, seq })
}

/** Makes UUIDv7 identifiers that grow within the process, even when the clock is set back (C3). */
export const uuidIds = (): Ids => ({
  nextItemId: () => nextId() as ItemId,
  nextNotificationId: () => nextId() as NotificationId,
})

/** The runtime's own generator: even enough to spread retries, and not for secrets. */
export const nodeRandom: Random = { fraction: () => Math.random() }

/** Counts by the monotonic clock: setting the machine's clock makes no wait longer or shorter. */
export const nodeTimer: Timer = { wait: (milliseconds) => () => setTimeout(milliseconds) }

/** The one cost that an earlier version wrote: 32 MiB of memory and some 50 ms of a core for each check. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

/** The PHC string format: salt and key in base64 without padding. */
const FORM = /^\$scrypt\$ln=15,r=8,p=1\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

/** Returns whether a stored text is an scrypt hash as an earlier version wrote it (A6). */
export const isLegacyHash = (stored: string): boolean => FORM.test(stored)

/** Returns whether a secret has this scrypt hash. Rejects when memory is short. */
export const matchesLegacyHash = async (secret: string, stored: string): Promise<boolean> => {
  const [, salt = '', key = ''] = FORM.exec(stored) ?? []
  const expected = Buffer.from(key, 'base64')
  const derived = await derive(secret, Buffer.from(salt, 'base64'), expected.length, COST)
  return timingSafeEqual(derived, expected)
}

/** Random bytes of a secret or a name: 256 bits. */
const BYTES = 32

/** Checks of legacy hashes that run at once: each takes 32 MiB and one of the four threads that files and images need too. */
const LEGACY_AT_ONCE = 2

/** Further checks that may wait; the last of them is served within a few seconds. */
const LEGACY_WAITING = 64

const drawSecret = makeDraw(BYTES)
const random = (): string => drawSecret().toString('base64url')

const sha256 = (text: string): string => hash('sha256', text, 'hex')

const isSame = (stored: string, digest: string): boolean =>
  stored.length === digest.length && timingSafeEqual(Buffer.from(stored), Buffer.from(digest))

/** Makes random secrets with Node's own cryptography; stores SHA-256 digests and still checks older scrypt hashes (A6). */
export const nodeSecrets = (): Secrets => {
  const limit = pLimit(LEGACY_AT_ONCE)

  const verifyLegacy = async (secret: string, stored: string): Promise<SecretMatch> => {
    if (limit.pendingCount >= LEGACY_WAITING) throw new Error('too many legacy hashes are being checked')
    return (await limit(() => matchesLegacyHash(secret, stored))) ? 'legacy' : 'none'
  }

  return {
    mint: random,
    mintMediaName: (type) => `${random()}.${EXTENSIONS[type]}` as MediaName,
    digest: (secret) => sha256(secret) as TokenDigest,
    verify: (secret, stored) =>
      isLegacyHash(stored)
        ? TE.tryCatch(() => verifyLegacy(secret, stored), unavailable)
        : TE.right(isSame(stored, sha256(secret)) ? 'digest' : 'none'),
  }
}
