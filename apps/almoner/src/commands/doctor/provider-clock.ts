import * as E from 'fp-ts/lib/Either.js'
import { readAuthority } from '../../composition/push/authority.ts'
import { isCarried } from '../../config/push.ts'
import { compared } from './clock.ts'
import type { Check } from './finding.ts'

/** Milliseconds until a provider that does not answer is given up. Another check tells of it. */
const PATIENCE = 8000

/** The time of an https server, to a second: what any answer of it says (RFC 9110 §6.6.1). */
const timeAt = async (origin: string, authority: string | undefined): Promise<number | undefined> => {
  // Loaded by whoever asks: the server, which has the doctor aboard, need not hold TLS in memory.
  const [{ request }, { rootCertificates }] = await Promise.all([import('node:https'), import('node:tls')])
  const ca = authority === undefined ? {} : { ca: [...rootCertificates, authority] }
  return new Promise((resolve) => {
    const asked = request(origin, { method: 'HEAD', timeout: PATIENCE, ...ca })
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

/** This machine's clock beside FCM's: with one that is wrong, providers refuse the tokens that are signed here. */
export const providerClockCheck: Check = {
  name: 'clock',
  look: async (settings, { now }) => {
    const authority = await readAuthority(settings)
    const { push, fcmUrl } = settings
    if (push.kind !== 'providers' || !isCarried(push, 'fcm') || E.isLeft(authority)) return []
    const time = await timeAt(fcmUrl, authority.right)
    return time === undefined ? [] : [compared('fcm', time, now())]
  },
}
