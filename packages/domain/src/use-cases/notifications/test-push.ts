import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { ResourceNotFound } from '../../notifications/model.ts'
import { DRAFT_FIELDS, draftMessage, notificationOf } from '../../notifications/previews.ts'
import { type PushResult, refused } from '../../notifications/push.ts'
import { type DeviceKind, destinationOf } from '../../people/destinations.ts'
import {
  DEVICE_NOT_FOUND,
  type Device,
  type DeviceId,
  type DeviceNotFound,
  NO_ACTING_USER,
  type NoActingUser,
} from '../../people/model.ts'
import type { DeliveryPolicy, DeliveryPorts } from '../../ports/of-delivery.ts'
import type { Email } from '../../values/addresses.ts'
import { collect } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import { attempt, type Unavailable } from '../../values/ports.ts'
import { integer } from '../../values/refined.ts'
import { addMillis, type Instant, instant, SECOND } from '../../values/time.ts'

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

type Needs = 'clock' | 'devices' | 'ids' | 'libraryItems' | 'mediaAddresses' | 'pushGateway'

/**
 * Sends a draft to one of the caller's own devices now, and returns the provider's response (F4, G5). Stores nothing, and detaches no device.
 * Fails with DeviceNotFound if the caller has no device of this number.
 */
export const makeSendTestPush =
  (
    ports: Pick<DeliveryPorts, Needs>,
    policy: Pick<DeliveryPolicy, 'look' | 'notificationLife' | 'deviceCodecs'>,
  ) =>
  (
    caller: Caller,
    { device: number, ...draft }: SendTestPush,
  ): TE.TaskEither<NotOwn | DeviceNotFound | ResourceNotFound | Unavailable, PushResult> => {
    const notification = notificationOf(ports, draft)
    const send = ({ token, kind }: Device) => {
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
        (device): TE.TaskEither<NotOwn | DeviceNotFound | ResourceNotFound | Unavailable, PushResult> =>
          send(device),
      ),
    )
  }
