import { CreateNotification } from '@almoner/domain'
import { encodeCursor } from '@almoner/domain/content'
import { ReportDelivery } from '@almoner/domain/delivery'
import { ListNotifications, type NotificationView, OneNotification } from '@almoner/domain/notifications'
import { asJson, json, many } from '../responses/route-response.ts'
import { call, type Route, routeOf, write } from '../route.ts'
import { SuccessJson } from '../serializers/codecs.ts'
import {
  DeliveryJson,
  encodeDelivery,
  encodeNotification,
  NotificationJson,
} from '../serializers/notifications.ts'

const route = routeOf('Notification')

/** A listing of notifications, by either of its forms: the interface calls them equivalent. */
const listing = (path: string, name: string, summary: string, paged: boolean): Route =>
  route({
    cacheable: true,
    method: 'GET',
    path,
    name,
    summary,
    access: 'listNotifications',
    parameters: ListNotifications,
    response: { kind: 'collection', key: 'notifications', codec: NotificationJson, paged },
    handle: (services) =>
      call(
        services.notifications.list,
        many({ key: 'notifications', text: asJson(encodeNotification(services.policy.look)), encodeCursor }),
      ),
  })

/** The interface's table *Notification*, and the delivery report (G7). */
export const NOTIFICATION_ROUTES: ReadonlyArray<Route> = [
  listing('/notification', 'listNotifications', 'List notifications, latest date first, undated last.', true),
  listing(
    '/notification/:id',
    'getNotification',
    'Fetch one notification: a collection of one, or an empty one if it does not exist.',
    false,
  ),
  route({
    method: 'POST',
    path: '/notification',
    name: 'createNotification',
    summary: 'Create a notification. It is sent at its date, and never without one.',
    access: 'createNotification',
    parameters: CreateNotification,
    response: { kind: 'one', codec: NotificationJson },
    faults: [404],
    furtherErrors: (services) => services.furtherErrors.payload,
    handle: (services) =>
      write(services.notifications.schedule, (view: NotificationView) =>
        json(encodeNotification(services.policy.look)(view)),
      ),
  }),
  route({
    method: 'DELETE',
    path: '/notification/:id',
    name: 'deleteNotification',
    summary: 'Delete a notification. Pushes that have not gone out are not sent.',
    access: 'removeNotification',
    parameters: OneNotification,
    response: { kind: 'one', codec: SuccessJson },
    faults: [404],
    handle: (services) => call(services.notifications.remove, () => json('success')),
  }),
  route({
    method: 'GET',
    path: '/notification/:id/delivery',
    name: 'getDelivery',
    summary: 'Fetch the delivery report of a notification: its state, and the number of devices by outcome.',
    access: 'reportDelivery',
    parameters: ReportDelivery,
    response: { kind: 'one', codec: DeliveryJson },
    faults: [404],
    handle: (services) =>
      call(services.notifications.reportDelivery, (delivery) => json(encodeDelivery(delivery))),
  }),
]
