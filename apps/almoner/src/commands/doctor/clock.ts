import type { Instant } from '@almoner/domain'
import { isFarFrom, newestRecord } from '@almoner/domain/operations'
import { addMillis, instant, toRfc3339 } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { serverTime } from '../../composition/node.ts'
import { isCarried } from '../../config/push.ts'
import { fromDatabase } from '../../failure.ts'
import { type Check, type Found, fault, ok } from './finding.ts'

/** Milliseconds by which clocks may differ. */
const CLOSE = 5000

const FIX = 'have all machines set their clocks by NTP (chrony, systemd-timesyncd)'

const compared = (whose: string, theirs: number, ours: number): Found => {
  const apart = ours - theirs
  if (Math.abs(apart) <= CLOSE) return ok(`it agrees with that of ${whose}`)
  const seconds = Math.round(Math.abs(apart) / 1000)
  const what = `this machine's clock is ${seconds} s ${apart > 0 ? 'ahead of' : 'behind'} that of ${whose}`
  return fault('clock-apart', what, FIX, { seconds: String(seconds) })
}

const farText = (newest: Instant): Found =>
  ok(`the newest record is of ${toRfc3339(newest)}: after a start now, nothing old is deleted for an hour`)

/** Compares this machine's clock with the database server's, or with the last heartbeats in the file, which should not be in the future. */
export const clockCheck: Check = {
  name: 'clock',
  asks: 'the database',
  look: async ({ settings, machine: { now }, database }) => {
    if (database === undefined) return []
    const newest = await fromDatabase(newestRecord(database.store))
    const note = O.isSome(newest) && isFarFrom(newest, database.clock.now()) ? [farText(newest.value)] : []
    if (settings.database.kind === 'postgres')
      return [compared('the database server', database.clock.now(), now()), ...note]
    const ahead = await fromDatabase(database.store.nodes.since(addMillis(instant(now()), CLOSE)))
    const latest = Math.max(...ahead.map(({ lastSeenAt }) => lastSeenAt))
    return latest > now()
      ? [compared('the last writer to the database', latest, now()), ...note]
      : [ok('it is not behind what was last written into the database'), ...note]
  },
}

/** Compares this machine's clock with FCM's: if it is wrong, providers reject the tokens that are signed here. */
export const providerClockCheck: Check = {
  name: 'clock',
  asks: 'the address of FCM',
  look: async ({ settings: { push, fcmUrl, proxy }, service, machine: { now } }) => {
    if (push.kind !== 'providers' || !isCarried(push, 'fcm')) return []
    const { authority } = await service.providers()
    if (E.isLeft(authority)) return []
    const time = await serverTime(fcmUrl, { ca: authority.right, proxy })
    return time === undefined ? [] : [compared('fcm', time, now())]
  },
}
