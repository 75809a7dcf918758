import { type Instant, instant, later } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Check, type Found, fault, ok } from './finding.ts'
import { onCurrent } from './opened.ts'

/** Clocks that are no further apart than this are the same, in milliseconds. */
const CLOSE = 5000

const FIX = 'have all machines set their clocks by NTP (chrony, systemd-timesyncd)'

/** What to say of this machine's clock beside another one. */
export const compared = (whose: string, theirs: number, ours: number): Found => {
  const apart = ours - theirs
  return Math.abs(apart) <= CLOSE
    ? ok(`it agrees with that of ${whose}`)
    : fault(
        `this machine's clock is ${Math.round(Math.abs(apart) / 1000)} s ${apart > 0 ? 'ahead of' : 'behind'} that of ${whose}`,
        FIX,
      )
}

/**
 * This machine's clock beside the database server's, which is what all nodes go by; or, where the database is a file, beside the last
 * moments that servers have written into it: one that lies ahead was written before the clock was set back.
 */
export const clockCheck: Check = {
  name: 'clock',
  look: onCurrent(async ({ store, clock }, { database }, { now }) => {
    if (database.kind === 'postgres') return [compared('the database server', clock.now(), now())]
    const ahead = await store.nodes.since(later(instant(now()), CLOSE))()
    const latest = E.isRight(ahead)
      ? Math.max(...ahead.right.map(({ toldAt }): Instant => toldAt))
      : -Infinity
    return latest > now()
      ? [compared('whoever wrote last into the database', latest, now())]
      : [ok('it is not behind what was last written into the database')]
  }),
}
