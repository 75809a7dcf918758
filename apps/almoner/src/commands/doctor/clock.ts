import { addMillis, instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
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

/** Compares this machine's clock with the database server's, or with the last heartbeats in the file, which should not be in the future. */
export const clockCheck: Check = {
  name: 'clock',
  asks: 'the database',
  look: async ({ settings, machine: { now }, database }) => {
    if (database === undefined) return []
    if (settings.database.kind === 'postgres')
      return [compared('the database server', database.clock.now(), now())]
    const ahead = await fromDatabase(database.store.nodes.since(addMillis(instant(now()), CLOSE)))
    const latest = Math.max(...ahead.map(({ lastSeenAt }) => lastSeenAt))
    return latest > now()
      ? [compared('the last writer to the database', latest, now())]
      : [ok('it is not behind what was last written into the database')]
  },
}

/** Milliseconds within which a provider has to answer. Another check reports one that does not. */
const TIMEOUT = 8000

/** Resolves to the time of an https server, to a second, which any response of it holds (RFC 9110 §6.6.1). */
const timeAt = async (origin: string, authority: string | undefined): Promise<number | undefined> => {
  // Loaded here, so that a server, whose program holds the doctor too, need not hold TLS in memory.
  const [{ request }, { rootCertificates }] = await Promise.all([import('node:https'), import('node:tls')])
  const ca = authority === undefined ? {} : { ca: [...rootCertificates, authority] }
  return new Promise((resolve) => {
    const asked = request(origin, { method: 'HEAD', timeout: TIMEOUT, ...ca })
    asked.on('response', ({ headers }) => {
      const time = Date.parse(headers.date ?? '')
      resolve(Number.isNaN(time) ? undefined : time)
      asked.destroy()
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(undefined))
    asked.on('close', () => resolve(undefined))
    asked.end()
  })
}

/** Compares this machine's clock with FCM's: if it is wrong, providers reject the tokens that are signed here. */
export const providerClockCheck: Check = {
  name: 'clock',
  asks: 'the address of FCM',
  look: async ({ settings: { push, fcmUrl }, service, machine: { now } }) => {
    if (push.kind !== 'providers' || !isCarried(push, 'fcm')) return []
    const { authority } = await service.providers()
    if (E.isLeft(authority)) return []
    const time = await timeAt(fcmUrl, authority.right)
    return time === undefined ? [] : [compared('fcm', time, now())]
  },
}
