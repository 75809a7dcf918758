import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { includeOf } from '../content/include.ts'
import {
  type Delivery,
  deliveryOf,
  NOTIFICATION_NOT_FOUND,
  type Notification,
  type NotificationNotFound,
  type ResourceNotFound,
  type Shortened,
} from '../notifications/model.ts'
import { DRAFT_FIELDS, draftMessage, notificationOf, type Topic, topicOf } from '../notifications/previews.ts'
import { type PushResult, refused } from '../notifications/push.ts'
import type { OneNotification } from '../notifications/use-cases.ts'
import { type DeviceKind, destinationOf } from '../people/destinations.ts'
import {
  DEVICE_NOT_FOUND,
  type Device,
  type DeviceId,
  type DeviceNotFound,
  NO_ACTING_USER,
  type NoActingUser,
} from '../people/model.ts'
import type { Email } from '../values/addresses.ts'
import { NotificationId } from '../values/ids.ts'
import { collect } from '../values/page.ts'
import { parameters } from '../values/parameters.ts'
import { attempt, type Unavailable } from '../values/ports.ts'
import { integer } from '../values/refined.ts'
import { addMillis, endOfDay, type Instant, instant, LocalDate, SECOND, startOfDay } from '../values/time.ts'
import type { DeliveryPolicy, DeliveryPorts } from './ports.ts'

/** Parameters of GET /notification/<notificationId>/delivery. */
export const ReportDelivery = parameters({
  name: 'ReportDelivery',
  required: { id: NotificationId },
  optional: { include: includeOf(['seen', 'shortened'], 'the report') },
})
export type ReportDelivery = typeof ReportDelivery._A

/** A delivery report, with the members that `include` asks for: what was left out of the message, and how many people saw it (F7, G6, G7). */
export type DeliveryReport = Omit<Delivery, 'shortened'> & {
  readonly shortened?: Shortened
  readonly seen?: number
}

/**
 * Reports how far a notification has come (G7), and with `include` what was left out of its message and how many people marked it as seen (G6, F7).
 * An unknown or deleted notification is not found.
 */
export const makeReportDelivery =
  (ports: Pick<DeliveryPorts, 'inbox' | 'notifications'>) =>
  (
    caller: Caller,
    { id, include = [] }: ReportDelivery,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | Unavailable, DeliveryReport> =>
    permitted(
      'reportDelivery',
      caller,
    )(() =>
      pipe(
        ports.notifications.find(id),
        TE.flatMap(TE.fromOption((): NotificationNotFound | Unavailable => NOTIFICATION_NOT_FOUND)),
        TE.map(({ notification, progress }): DeliveryReport => {
          const { shortened, ...report } = deliveryOf(notification, progress)
          return include.includes('shortened') ? { ...report, shortened } : report
        }),
        TE.flatMap((report) =>
          include.includes('seen')
            ? pipe(
                ports.inbox.countSeen(id),
                TE.map((seen) => ({ ...report, seen })),
              )
            : TE.right(report),
        ),
      ),
    )

/** A notification as it was written, and how far it has come. */
export interface ShownNotification {
  readonly notification: Notification
  readonly delivery: Delivery
}

/** Shows a notification as it was written, with its publication, so that it can be written again (G2, G7). */
export const makeShowNotification =
  (ports: Pick<DeliveryPorts, 'notifications'>) =>
  (
    caller: Caller,
    { id }: OneNotification,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | Unavailable, ShownNotification> =>
    permitted(
      'listNotifications',
      caller,
    )(() =>
      pipe(
        ports.notifications.find(id),
        TE.flatMap(TE.fromOption((): NotificationNotFound | Unavailable => NOTIFICATION_NOT_FOUND)),
        TE.map(({ notification, progress }) => ({
          notification,
          delivery: deliveryOf(notification, progress),
        })),
      ),
    )

/** Parameters of GET /notifications: calendar days in the service's time zone, both included. */
export const ShowSchedule = parameters({
  name: 'ShowSchedule',
  required: { from: LocalDate, to: LocalDate },
  optional: {},
})
export type ShowSchedule = typeof ShowSchedule._A

/** Notifications with a date, and how far each has come. */
export interface Schedule {
  /** The latest first. */
  readonly entries: ReadonlyArray<{ readonly notification: Notification; readonly delivery: Delivery }>
  /** Whether these are all; otherwise the earliest are missing. */
  readonly isComplete: boolean
}

/** The most notifications of a schedule. */
export const MOST_SCHEDULED = 500

/** The last moment that an Instant can have. */
const LAST: Instant = instant(8.64e15)

/** Shows the notifications of some days with their delivery (G5, G7). Those without a date have no day. */
export const makeShowSchedule =
  (ports: Pick<DeliveryPorts, 'notifications'>, { timeZone }: Pick<DeliveryPolicy, 'timeZone'>) =>
  (caller: Caller, { from, to }: ShowSchedule): TE.TaskEither<InsufficientScope | Unavailable, Schedule> =>
    permitted(
      'listNotifications',
      caller,
    )(() =>
      pipe(
        ports.notifications.dated({
          from: startOfDay(from, timeZone),
          to: O.getOrElse(() => LAST)(endOfDay(to, timeZone)),
          most: MOST_SCHEDULED + 1,
        }),
        TE.map((found) => ({
          entries: found.slice(0, MOST_SCHEDULED).map(({ notification, progress }) => ({
            notification,
            delivery: deliveryOf(notification, progress),
          })),
          isComplete: found.length <= MOST_SCHEDULED,
        })),
      ),
    )

/** Parameters of GET /notifications/devices. */
export const ListTestDevices = parameters({ name: 'ListTestDevices', required: {}, optional: {} })
export type ListTestDevices = typeof ListTestDevices._A

/** Parameters of POST /notifications/test: a draft, and the number of one of the caller's devices. */
export const SendTestPush = parameters({
  name: 'SendTestPush',
  required: { ...DRAFT_FIELDS.required, device: integer('TestDevice', 1, 1000, 'Number of the device.') },
  optional: DRAFT_FIELDS.optional,
})
export type SendTestPush = typeof SendTestPush._A

/** A device that the caller may send a test to. */
export interface TestDevice {
  /** Its place among the caller's devices, from 1. */
  readonly number: number
  readonly kind: DeviceKind
  readonly attachedAt: Instant
}

type NotOwn = InsufficientScope | NoActingUser

const ownDevices = (
  { devices }: Pick<DeliveryPorts, 'devices'>,
  caller: Caller,
): TE.TaskEither<NotOwn | Unavailable, ReadonlyArray<Device>> =>
  permitted(
    'draftNotification',
    caller,
  )(() =>
    pipe(
      TE.fromOption((): NoActingUser | Unavailable => NO_ACTING_USER)(caller.email),
      TE.flatMap((email: Email) => attempt(() => collect(devices.ofUser(email)))),
    ),
  )

/** The provider's response to a test, and the topic of its notification (G12). */
export interface TestPush {
  readonly result: PushResult
  readonly topic: O.Option<Topic>
}

/** Lists the devices that are attached for the caller's own address, in the order of their first attachment (F4). */
export const makeListTestDevices =
  (ports: Pick<DeliveryPorts, 'devices'>) =>
  (
    caller: Caller,
    _parameters: ListTestDevices,
  ): TE.TaskEither<NotOwn | Unavailable, ReadonlyArray<TestDevice>> =>
    pipe(
      ownDevices(ports, caller),
      TE.map((devices) => devices.map(({ kind, attachedAt }, at) => ({ number: at + 1, kind, attachedAt }))),
    )

/** A provider's report about the device is ignored: the device counts as attached before it, and is not in the ledger. */
const UNTRACKED = { deviceId: 0 as DeviceId, attachedAt: instant(0) }

/**
 * Sends a draft to one of the caller's own devices now, and returns the provider's response (F4, G5). Stores nothing, and detaches no device.
 * Fails with DeviceNotFound if the caller has no device of this number.
 */
export const makeSendTestPush =
  (
    ports: Pick<
      DeliveryPorts,
      'clock' | 'devices' | 'ids' | 'libraryItems' | 'mediaAddresses' | 'pushGateway'
    >,
    policy: Pick<DeliveryPolicy, 'look' | 'notificationLife' | 'deviceCodecs'>,
  ) =>
  (
    caller: Caller,
    { device: number, ...draft }: SendTestPush,
  ): TE.TaskEither<NotOwn | DeviceNotFound | ResourceNotFound | Unavailable, TestPush> => {
    const notification = notificationOf(ports, draft)
    const send = ({ token, kind }: Device): TE.TaskEither<ResourceNotFound | Unavailable, PushResult> => {
      const destination = destinationOf(token, kind, policy.deviceCodecs)
      if (destination === undefined) return TE.right(refused('no rule recognises the token'))
      const endsAt = addMillis(ports.clock.now(), policy.notificationLife * SECOND)
      const push = { ...UNTRACKED, notificationId: notification.id, destination, endsAt }
      return pipe(
        draftMessage(ports, notification, policy),
        TE.flatMap((message) => TE.fromTask(ports.pushGateway.send({ ...push, message }))),
      )
    }
    return pipe(
      ownDevices(ports, caller),
      TE.flatMap((devices) =>
        TE.fromOption((): NotOwn | DeviceNotFound | ResourceNotFound | Unavailable => DEVICE_NOT_FOUND)(
          O.fromNullable(devices[number - 1]),
        ),
      ),
      TE.flatMap(
        (device): TE.TaskEither<NotOwn | DeviceNotFound | ResourceNotFound | Unavailable, TestPush> =>
          pipe(
            topicOf(ports, notification),
            TE.flatMap((topic) => TE.map((result: PushResult) => ({ result, topic }))(send(device))),
          ),
      ),
    )
  }
