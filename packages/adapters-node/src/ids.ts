import type { Ids, ItemId, NotificationId } from '@almoner/domain'
import { v7 } from 'uuid'
import { following, type Place } from './id-sequence.ts'

/** Bytes of chance that an identifier takes, and how many are asked for at once: asking takes longer than all else. */
const TAKEN = 16
const ASKED = 256 * TAKEN

const pool = new Uint8Array(ASKED)
let used = ASKED

const chance = (): Uint8Array => {
  if (used === ASKED) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += TAKEN
  return pool.slice(used - TAKEN, used)
}

/** Somewhere in the lower half of 32 bits, so that there is room to count. The place's bytes are not used for anything else. */
const startOf = ([a = 0, b = 0, c = 0, d = 0]: Uint8Array): number =>
  ((a & 0x7f) << 24) | (b << 16) | (c << 8) | d

let place: Place = { msecs: 0, seq: 0 }

/** One place after the other for the whole process, as `v7` has it by itself, but that it asks for chance each time. */
const next = (): string => {
  const random = chance()
  place = following(place, Date.now(), startOf(random))
  return v7({ random, ...place })
}

/** UUIDv7 identifiers (C3), in the order in which they are made. */
export const uuidIds = (): Ids => ({
  nextItemId: () => next() as ItemId,
  nextNotificationId: () => next() as NotificationId,
})
