import {
  CreateNotification,
  ListNotifications,
  type NotificationView,
  OneNotification,
  placeText,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { asJson, many } from '../responses/collection.ts'
import { json } from '../responses/route-response.ts'
import { type Route, route } from '../route.ts'
import {
  DeliveryAnswer,
  encodeDelivery,
  encodeNotification,
  NotificationAnswer,
} from '../serializers/notifications.ts'
import { SUCCESS, SuccessAnswer } from '../serializers/success.ts'
import { answered } from './answered.ts'

const tag = 'Notification'

/** A listing of notifications, by either of its forms: the interface calls them equivalent. */
const listing = (path: string, name: string, summary: string, paged: boolean): Route =>
  route({
    shared: true,
    method: 'GET',
    path,
    name,
    summary,
    tag,
    access: 'listNotifications',
    parameters: ListNotifications,
    answer: { kind: 'collection', key: 'notifications', codec: NotificationAnswer, paged },
    faults: [400],
    handle: (services) => (ask, asked) =>
      pipe(
        services.listNotifications(ask.caller, asked),
        TE.map(many({ key: 'notifications', text: asJson(encodeNotification(services.look)), placeText })),
      ),
  })

/** The interface's table *Notification*, and the delivery report (G7). */
export const NOTIFICATION_ROUTES: ReadonlyArray<Route> = [
  listing('/notification', 'listNotifications', 'List notifications, latest date first, undated last.', true),
  listing(
    '/notification/:id',
    'getNotification',
    'Fetch one notification: a collection of one, or of none when it does not exist.',
    false,
  ),
  route({
    method: 'POST',
    path: '/notification',
    name: 'createNotification',
    summary: 'Create a notification. It is pushed at the review after its date, without a date never.',
    tag,
    access: 'createNotification',
    parameters: CreateNotification,
    answer: { kind: 'one', codec: NotificationAnswer },
    faults: [400, 404],
    alsoUnmet: (services) => services.unmetPayload,
    handle: (services) => (ask, command) =>
      answered(
        ask,
        (view: NotificationView) => json(encodeNotification(services.look)(view)),
        (receipt) => services.createNotification(ask.caller, command, receipt),
      ),
  }),
  route({
    method: 'DELETE',
    path: '/notification/:id',
    name: 'deleteNotification',
    summary: 'Delete a notification. What has not gone out never does.',
    tag,
    access: 'removeNotification',
    parameters: OneNotification,
    answer: { kind: 'one', codec: SuccessAnswer },
    faults: [400, 404],
    handle: (services) => (ask, which) =>
      pipe(
        services.removeNotification(ask.caller, which),
        TE.map(() => SUCCESS),
      ),
  }),
  route({
    method: 'GET',
    path: '/notification/:id/delivery',
    name: 'getDelivery',
    summary: 'Fetch the delivery report of a notification: its state, and its devices by outcome.',
    tag,
    access: 'reportDelivery',
    parameters: OneNotification,
    answer: { kind: 'one', codec: DeliveryAnswer },
    faults: [400, 404],
    handle: (services) => (ask, which) =>
      pipe(
        services.reportDelivery(ask.caller, which),
        TE.map((delivery) => json(encodeDelivery(delivery))),
      ),
  }),
]
