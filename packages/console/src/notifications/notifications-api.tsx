import type { Answer, ConsolePaths } from '@almoner/client'
import { api, consoleApi } from '../session/api.ts'
import { useMessages } from '../session/session.tsx'

type ScheduleAnswer = ConsolePaths['/notifications']['get']['responses'][200]['content']['application/json']

/** A notification with a date, and how far it has come. */
export type ScheduledNotification = ScheduleAnswer['schedule']['notifications'][number]

/** What a notification goes through. */
type DeliveryState = ScheduledNotification['state']

/** The notifications of some days; `complete` is false where the earliest are missing. */
export type Schedule = ScheduleAnswer['schedule']

/** Returns the notifications of some days in the service's time zone, the latest first. */
export const readSchedule = async (
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Answer<Schedule>> => {
  const { data, ...rest } = await consoleApi.get('/notifications', { query: { from, to }, signal })
  return { ...rest, data: data.schedule }
}

/** A notification with its delivery and its other language (G14); undefined if there is no such notification. */
export const readNotification = async (id: string, signal?: AbortSignal) => {
  const path = { id }
  const asked = { path, query: { include: 'counterpart' }, ...(signal && { signal }) }
  const { data, ...rest } = await api.get('/notification/{id}', asked)
  const [found] = data.notifications
  if (found === undefined) return { ...rest, data: undefined }
  const query = { include: 'shortened' }
  const report = await api.get('/notification/{id}/delivery', { ...asked, query })
  return { ...rest, data: { notification: found.notification, delivery: report.data.delivery } }
}

/** A notification as the API has it. */
export type Notification = NonNullable<Awaited<ReturnType<typeof readNotification>>['data']>['notification']

/** The delivery report of a notification. */
export type Delivery = NonNullable<Awaited<ReturnType<typeof readNotification>>['data']>['delivery']

/** A notification as its page knows it: with its tag, and whether it has another language. */
export interface Known {
  readonly id: string
  readonly etag: string | undefined
  readonly isPair: boolean
}

/** Deletes a notification, and its other language with it (G14). Devices that wait do not get it. */
export const deleteNotification = async ({ id, etag }: Known): Promise<void> => {
  await api.delete('/notification/{id}', { path: { id }, query: { both: 'true' }, ifMatch: etag })
}

/**
 * Deletes a notification that is not started. Rejects with the code `notification_started` if it is. Two languages lose their time in one step, so
 * that neither goes out, or both stay.
 */
export const withdrawNotification = async ({ id, etag, isPair }: Known): Promise<void> => {
  if (!isPair) return void (await consoleApi.delete('/notifications/{id}', { path: { id } }))
  const body = { date: '', both: 'true' } as const
  const changed = await api.post('/notification/{id}', { path: { id }, body, ifMatch: etag })
  await deleteNotification({ id, etag: changed.etag, isPair })
}

/** A notification that was, or will be, sent about a publication. */
export interface Announced {
  readonly id: string
  readonly lang: 'en' | 'fr'
  readonly title: string
  readonly moment: Date | undefined
  readonly state: DeliveryState
  readonly devices: number
  /** The id of its other language; empty if it has none. */
  readonly counterpartId: string
}

/** Notifications about one publication that are listed. */
const MOST_ANNOUNCED = 10

/** Lists the notifications about publications, the latest first (G14). */
export const listAnnounced = async (itemIds: ReadonlyArray<string>): Promise<ReadonlyArray<Announced>> => {
  const found = await Promise.all(
    [...new Set(itemIds)].map(async (resourceId) => {
      const query = { resourceId, include: 'counterpart', lim: MOST_ANNOUNCED } as const
      return (await api.get('/notification', { query })).data.notifications
    }),
  )
  return Promise.all(
    found.flat().map(async ({ notification }): Promise<Announced> => {
      const { id, lang, title, counterpart } = notification
      const { delivery } = (await api.get('/notification/{id}/delivery', { path: { id } })).data
      return {
        ...{ id, lang, title, state: delivery.state, devices: delivery.recipients },
        moment: momentOf(notification),
        counterpartId: counterpart?.notificationId ?? '',
      }
    }),
  )
}

/** Returns the moment of a notification, which the API writes in UTC; undefined if it has none. */
export const momentOf = ({ date }: Pick<Notification, 'date'>): Date | undefined =>
  date === '' ? undefined : new Date(`${date.replace(' ', 'T')}Z`)

/** The state of a notification: a dot whose form differs as well as its colour, and the word. */
export const DeliveryMark = ({ state }: { readonly state: DeliveryState }) => {
  const { notifications: words } = useMessages()
  return <span className={`delivery ${state}`}>{words.states[state]}</span>
}
