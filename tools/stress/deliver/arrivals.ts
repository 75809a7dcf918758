import type { Language } from '../../../packages/domain/src/index.ts'
import type { Arrival } from './providers.ts'
import { makeSenders } from './senders.ts'

/** A notification as far as it tells who must get it. */
export interface Sent {
  readonly id: string
  readonly lang: Language
}

/** What became of all notifications. */
export interface Judged {
  /** Pushes that never came, as device and notification. */
  readonly lost: number
  /** Pushes that came again, by the process that sent the one before. */
  readonly doubles: ReadonlyMap<string, number>
}

/** What APNs says to a provider token that comes too soon after another; the push is then sent with the other. */
const TOO_SOON = 'TooManyProviderTokenUpdates'

/** Notes what comes to the providers, and tells `found` of each push that is not as it should be. */
export const makeArrivals = (found: (finding: string) => void) => {
  /** For each push, by notification and device: the processes that sent it, in the order of arrival. */
  const arrivals = new Map<string, Array<string>>()
  const collapseKeys = new Map<string, string>()
  const languages = new Map<string, Language>()
  const senders = makeSenders()
  let count = 0
  let tooSoon = 0
  let last = performance.now()
  /** The devices that a notification must come to. */
  const dueOf = ({ id, lang }: Sent) =>
    [...languages].filter(([, its]) => its === lang).map(([device]) => ({ id, device }))
  return {
    senders,
    /** Says in which language a device is pushed to. */
    expect: (token: string, lang: Language): void => {
      languages.set(token, lang)
    },
    take: ({ provider, notificationId, token, lang, collapseKey, sender, refusal }: Arrival): void => {
      if (refusal !== undefined) {
        if (refusal.includes(TOO_SOON)) tooSoon += 1
        else found(`${provider} refused a push: ${refusal}`)
        return
      }
      const key = `${notificationId} ${token}`
      arrivals.set(key, [...(arrivals.get(key) ?? []), senders.of(sender)])
      count += 1
      last = performance.now()
      if (languages.get(token) !== lang) found(`a device of ${provider} got a push in ${lang}`)
      const before = collapseKeys.get(key) ?? collapseKey
      if (before !== collapseKey || collapseKey === '')
        found(`${provider}: a double has a collapse key of its own`)
      collapseKeys.set(key, collapseKey)
    },
    /** Pushes so far. */
    count: (): number => count,
    /** Pushes that a provider did not take, because the half hour of a provider token had just begun. */
    tooSoon: (): number => tooSoon,
    /** Milliseconds since the last push. */
    idle: (): number => performance.now() - last,
    /** What became of notifications that are settled. */
    judge: (sent: ReadonlyArray<Sent>): Judged => {
      const doubles = new Map<string, number>()
      let lost = 0
      for (const { id, device } of sent.flatMap(dueOf)) {
        const by = arrivals.get(`${id} ${device}`) ?? []
        if (by.length === 0) lost += 1
        // Each further arrival is owed to the process that sent the one before and could not write it down.
        for (const sender of by.slice(0, -1)) doubles.set(sender, (doubles.get(sender) ?? 0) + 1)
      }
      return { lost, doubles }
    },
  }
}
