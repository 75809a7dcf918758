import { ListTestDevices, SendTestPush, ShowSchedule } from '@almoner/domain/delivery'
import { OneNotification, PreviewDraft } from '@almoner/domain/notifications'
import { EMPTY, json } from '../../responses/route-response.ts'
import { call, type Route, routeOf } from '../../route.ts'
import {
  encodePreview,
  encodeSchedule,
  encodeShownNotification,
  encodeTest,
  encodeTestDevice,
  PreviewJson,
  ScheduleJson,
  ShownNotificationJson,
  TestDeviceJson,
  TestJson,
} from '../../serializers/composer.ts'

const route = routeOf('Notifications')

/** What a content manager needs to write notifications and to watch them. The API's own routes create and delete them. */
export const NOTIFICATION_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'GET',
    path: '/notifications',
    name: 'showSchedule',
    summary: 'List the notifications of some days with their delivery, the latest first.',
    access: 'listNotifications',
    parameters: ShowSchedule,
    response: { kind: 'one', codec: ScheduleJson },
    handle: (services) => call(services.console.showSchedule, (schedule) => json(encodeSchedule(schedule))),
  }),
  route({
    method: 'POST',
    path: '/notifications/preview',
    name: 'previewDraft',
    summary: 'Show the size and the recipients of a notification before it is created. Sends nothing.',
    access: 'draftNotification',
    parameters: PreviewDraft,
    response: { kind: 'one', codec: PreviewJson },
    faults: [404],
    handle: (services) => call(services.console.previewDraft, (preview) => json(encodePreview(preview))),
  }),
  route({
    method: 'GET',
    path: '/notifications/devices',
    name: 'listTestDevices',
    summary: 'List the devices of the signed-in manager, for test pushes.',
    access: 'draftNotification',
    parameters: ListTestDevices,
    response: { kind: 'collection', key: 'devices', codec: TestDeviceJson, paged: false },
    handle: (services) =>
      call(services.console.listTestDevices, (devices) => json({ devices: devices.map(encodeTestDevice) })),
  }),
  route({
    method: 'GET',
    path: '/notifications/:id',
    name: 'showNotification',
    summary: 'Show a notification as it was written, with its publication.',
    access: 'listNotifications',
    parameters: OneNotification,
    response: { kind: 'one', codec: ShownNotificationJson },
    faults: [404],
    handle: (services) =>
      call(services.console.showNotification, (shown) => json(encodeShownNotification(shown))),
  }),
  route({
    method: 'DELETE',
    path: '/notifications/:id',
    name: 'withdrawNotification',
    summary: 'Delete a notification that is not being sent yet.',
    access: 'removeNotification',
    parameters: OneNotification,
    response: { kind: 'empty' },
    faults: [404, 409],
    handle: (services) => call(services.console.withdrawNotification, () => EMPTY),
  }),
  route({
    method: 'POST',
    path: '/notifications/test',
    name: 'sendTestPush',
    summary: 'Send a draft to one device of the signed-in manager. Stores nothing.',
    access: 'draftNotification',
    parameters: SendTestPush,
    response: { kind: 'one', codec: TestJson },
    faults: [404],
    handle: (services) => call(services.console.sendTestPush, (result) => json(encodeTest(result))),
  }),
]
