import { DEFAULT_POLICY, type Ports } from '@almoner/domain'
import { makeReview, type ReviewSummary } from '@almoner/domain/delivery'
import type { PushGateway } from '@almoner/domain/ports'
import { done, type Fixture, type Send } from './fixture.ts'
import { NOTIFICATION } from './samples.ts'

/** A notification as it came. */
export interface SeenNotification {
  readonly id: string
  readonly title: string
  readonly subtitle: string
  readonly description: string
  readonly date: string
  readonly lang: string
  readonly visualUrl: string
  readonly iconUrl: string
  readonly actionUrl: string
  readonly color: string
}

/** A delivery report as it came. */
export interface SeenDelivery {
  readonly notificationId: string
  readonly state: string
  readonly recipients: number
  readonly pending: number
  readonly delivered: number
  readonly failed: number
  readonly dead: number
  readonly skipped: number
  readonly startedAt: string
  readonly finishedAt: string
}

/** UNIX seconds of a moment, as `date` takes them. */
export const seconds = (moment: string): number => Date.parse(moment) / 1000

/** Sends a new notification, as a manager: all that is required, and `over`. */
export const post = (fixture: Fixture, over: Readonly<Record<string, unknown>> = {}, send: Send = {}) =>
  fixture.call('POST', '/notification', { as: 'manager', json: { ...NOTIFICATION, ...over }, ...send })

const bodyOf = async (answer: Response): Promise<unknown> => {
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}`, { cause: text })
  return JSON.parse(text)
}

/** The single notification that was answered with 200. */
export const notificationIn = async (answer: Response): Promise<SeenNotification> =>
  ((await bodyOf(answer)) as { notification: SeenNotification }).notification

/** The notifications of a collection that was answered with 200. */
export const notificationsIn = async (answer: Response): Promise<ReadonlyArray<SeenNotification>> => {
  const { notifications } = (await bodyOf(answer)) as {
    notifications: ReadonlyArray<{ notification: SeenNotification }>
  }
  return notifications.map(({ notification }) => notification)
}

/** Creates a notification. */
export const notify = async (fixture: Fixture, over: Readonly<Record<string, unknown>> = {}) =>
  notificationIn(await post(fixture, over))

/** The notifications of a path, as a manager. */
export const listed = async (
  fixture: Fixture,
  path = '/notification',
  query: Readonly<Record<string, string>> = {},
) => notificationsIn(await fixture.call('GET', path, { as: 'manager', query }))

/** The delivery report of a notification. */
export const deliveryOf = async (fixture: Fixture, id: string): Promise<SeenDelivery> => {
  const answer = await fixture.call('GET', `/notification/${id}/delivery`, { as: 'manager' })
  return ((await bodyOf(answer)) as { delivery: SeenDelivery }).delivery
}

/** One review over the server's own ports, with a provider of the test's own. */
export const review = (
  fixture: Fixture,
  pushGateway: PushGateway = fixture.ports.pushGateway,
  window = 100,
): Promise<ReviewSummary> => {
  const ports: Ports = { ...fixture.ports, pushGateway }
  return done(makeReview(ports, DEFAULT_POLICY)({ window }))
}
