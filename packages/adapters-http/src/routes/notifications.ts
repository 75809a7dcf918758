import { CreateNotification } from '@almoner/domain'
import { encodeCursor } from '@almoner/domain/content'
import { ReportDelivery } from '@almoner/domain/delivery'
import {
  ChangeNotification,
  ListNotifications,
  type Look,
  type Notification,
  type NotificationView,
  RemoveNotification,
} from '@almoner/domain/notifications'
import { asJson, etagOf, firstOf, json, many, type RouteResponse } from '../responses/headers.ts'
import { call, edit, type ReadsOf, type Route, routeOf, write } from '../route.ts'
import { SuccessJson } from '../serializers/codecs.ts'
import {
  DeliveryJson,
  encodeDelivery,
  encodeNotification,
  NotificationJson,
} from '../serializers/notifications.ts'

const route = routeOf('Notification')

/** Writes a notification with its ETag (C10, G13). */
const tagged = (
  id: Pick<Notification, 'id' | 'revision'>,
  text: string,
  [open, close] = ['', ''],
): RouteResponse => ({
  kind: 'json',
  text: `${open}${text}${close}`,
  etag: etagOf(id, text),
})

const written = (look: Look) => (view: NotificationView) =>
  tagged(view.notification, JSON.stringify(encodeNotification(look)(view)))

/** The items and labels that notifications name are read with them. What `include` and `state` show follows deliveries, which end no response. */
const readsOf: ReadsOf = (_path, { include, state }) =>
  include === undefined && state === undefined ? ['notifications', 'library', 'feed', 'labels'] : undefined

/** What a list by either of its forms has in common: the interface calls them equivalent. */
const LISTING = {
  readsOf,
  method: 'GET',
  access: 'listNotifications',
  parameters: ListNotifications,
} as const

/** The interface's table *Notification*, and the delivery report (G7). */
export const NOTIFICATION_ROUTES: ReadonlyArray<Route> = [
  route({
    ...LISTING,
    path: '/notification',
    name: 'listNotifications',
    summary: 'List notifications, latest date first, undated last.',
    response: { kind: 'collection', key: 'notifications', codec: NotificationJson, paged: true },
    handle: (services) =>
      call(
        services.notifications.list,
        many({
          key: 'notifications',
          text: asJson(encodeNotification(services.policy.look)),
          encodeCursor,
        }),
      ),
  }),
  route({
    ...LISTING,
    path: '/notification/:id',
    name: 'getNotification',
    summary: 'Fetch one notification: a collection of one, or an empty one if it does not exist.',
    response: { kind: 'collection', key: 'notifications', codec: NotificationJson, paged: false },
    hasETag: true,
    handle: (services) =>
      call(services.notifications.list, async (found) => {
        const view = await firstOf(found)
        if (view === undefined) return { kind: 'json', text: '{"notifications":[]}' }
        const text = JSON.stringify(encodeNotification(services.policy.look)(view))
        return tagged(view.notification, text, ['{"notifications":[', ']}'])
      }),
  }),
  route({
    method: 'POST',
    path: '/notification',
    name: 'createNotification',
    summary: 'Create a notification. It is sent at its date, and never without one.',
    access: 'createNotification',
    parameters: CreateNotification,
    response: { kind: 'one', codec: NotificationJson },
    hasETag: true,
    faults: [404],
    furtherErrors: (services) => services.furtherErrors.payload,
    handle: (services) => write(services.notifications.schedule, written(services.policy.look)),
  }),
  route({
    method: 'POST',
    path: '/notification/:id',
    name: 'changeNotification',
    summary: 'Change a notification, and with `both` the date of its counterpart, until it is being sent.',
    access: 'changeNotification',
    parameters: ChangeNotification,
    response: { kind: 'one', codec: NotificationJson },
    hasETag: true,
    honoursIfMatch: true,
    faults: [404, 409, 412],
    furtherErrors: (services) => services.furtherErrors.payload,
    handle: (services) => edit(services.notifications.change, written(services.policy.look)),
  }),
  route({
    method: 'DELETE',
    path: '/notification/:id',
    name: 'deleteNotification',
    summary:
      'Delete a notification, and with `both` its counterpart. Pushes that have not gone out are not sent.',
    access: 'removeNotification',
    parameters: RemoveNotification,
    response: { kind: 'one', codec: SuccessJson },
    honoursIfMatch: true,
    faults: [404, 412],
    handle: (services) => edit(services.notifications.remove, () => json('success')),
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
