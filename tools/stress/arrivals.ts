// What arrives at devices, and which server sent it.
import type { Notification } from '@almoner/domain/notifications'
import type { Language } from '@almoner/domain/values'
import { check } from './campaign.ts'
import type { Push } from './providers.ts'

/** The name of processes that renewed their credentials for APNs, which all do at every half hour. */
export const RENEWED = 'renewed'

/** A notification as far as it says who must get it. */
export type Sent = Pick<Notification, 'id' | 'lang'>

/** Attributes pushes to processes by their credentials, one for each of three providers. Only the newest process may have unknown ones. */
const makeSenders = () => {
  const senders = new Map<string, string>()
  const counts = new Map<string, number>()
  let newest = ''
  const isKnown = (): boolean => [...senders.values()].filter((name) => name === newest).length === 3
  return {
    isKnown,
    expect: (name: string): void => {
      newest = name
    },
    countOf: (name: string): number => counts.get(name) ?? 0,
    take: (credentials: string): string => {
      const name = senders.get(credentials) ?? (isKnown() ? RENEWED : newest)
      senders.set(credentials, name)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      return name
    },
  }
}

/** Records what arrives at devices, given the language of each. */
export const makeArrivals = (languages: ReadonlyMap<string, Language>) => {
  const senders = makeSenders()
  /** The servers that sent each push, by notification and device, in the order of arrival. */
  const arrivals = new Map<string, { readonly collapseKey: string; readonly from: Array<string> }>()
  const seen = { pushes: 0, last: 0 }
  const record = ({ notificationId, target, lang, collapseKey, credentials }: Push): void => {
    const key = `${notificationId} ${target}`
    const arrival = arrivals.get(key) ?? { collapseKey, from: [] }
    arrivals.set(key, arrival)
    arrival.from.push(senders.take(credentials))
    seen.pushes += 1
    seen.last = performance.now()
    check(languages.get(target) === lang, `a device got a push in ${lang}`)
    check(collapseKey === arrival.collapseKey && collapseKey !== '', 'a collapse key is not the same')
  }
  return {
    senders,
    seen,
    receive: (push: Push): void => {
      const { refusal } = push
      if (refusal === undefined) record(push)
      // APNs refuses a renewed token that follows too soon; the server then sends with the one before.
      else check(refusal.includes('TooManyProviderTokenUpdates'), `a push was refused: ${refusal}`)
    },
    /** The servers that sent each push that is due. */
    due: (those: ReadonlyArray<Sent>): ReadonlyArray<ReadonlyArray<string>> =>
      those.flatMap(({ id, lang }) =>
        [...languages]
          .filter(([, its]) => its === lang)
          .map(([target]) => arrivals.get(`${id} ${target}`)?.from ?? []),
      ),
  }
}
