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

/** A notification with its delivery; undefined if there is no such notification. */
export const readNotification = async (id: string, signal: AbortSignal) => {
  const path = { id }
  const { data, ...rest } = await api.get('/notification/{id}', { path, signal })
  const [found] = data.notifications
  if (found === undefined) return { ...rest, data: undefined }
  const query = { include: 'shortened' }
  const report = await api.get('/notification/{id}/delivery', { path, query, signal })
  return { ...rest, data: { notification: found.notification, delivery: report.data.delivery } }
}

/** A notification as the API has it. */
export type Notification = NonNullable<Awaited<ReturnType<typeof readNotification>>['data']>['notification']

/** The delivery report of a notification. */
export type Delivery = NonNullable<Awaited<ReturnType<typeof readNotification>>['data']>['delivery']

/** Deletes a notification. What has not gone out is not sent. */
export const deleteNotification = async (id: string): Promise<void> => {
  await api.delete('/notification/{id}', { path: { id } })
}

/** Deletes a notification that is not started. Rejects with the code `notification_started` if it is. */
export const withdrawNotification = async (id: string): Promise<void> => {
  await consoleApi.delete('/notifications/{id}', { path: { id } })
}

/** Returns the moment of a notification, which the API writes in UTC; undefined if it has none. */
export const momentOf = ({ date }: Pick<Notification, 'date'>): Date | undefined =>
  date === '' ? undefined : new Date(`${date.replace(' ', 'T')}Z`)

/** The state of a notification: a dot whose form differs as well as its colour, and the word. */
export const DeliveryMark = ({ state }: { readonly state: DeliveryState }) => {
  const { notifications: words } = useMessages()
  return <span className={`delivery ${state}`}>{words.states[state]}</span>
}
