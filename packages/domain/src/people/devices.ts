import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Receipt, receiptAbout } from '../access/acts.ts'
import { type Caller, type InsufficientScope, type PresenceRequired, permitted } from '../access/caller.ts'
import { type Email, PathSegment } from '../values/addresses.ts'
import type { ResultSet } from '../values/page.ts'
import {
  type FieldError,
  fieldError,
  parameters,
  type RawParameters,
  readField,
  type ValidationFailed,
  validationFailed,
} from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import {
  type Destination,
  type DeviceKind,
  DeviceToken,
  mayPushTo,
  recognise,
  unusableKeys,
} from './destinations.ts'
import { type Device, type DeviceNotFound, deviceKeys, type NoActingUser } from './model.ts'
import type { PeoplePolicy, PeoplePorts } from './ports.ts'
import { actingFor, forActingUser, furtherUserErrors, type OneUser, withActingUser } from './preferences.ts'

/** Parameters of POST /user/<email>/notification/token. */
export const AttachDevice = parameters({
  name: 'AttachDevice',
  required: { email: PathSegment, device_token: DeviceToken },
  optional: {},
})
export type AttachDevice = typeof AttachDevice._A

type PushPolicy = Pick<PeoplePolicy, 'pushDefault' | 'webPushHosts' | 'deviceCodecs'>

const isRefused = (destination: Destination | undefined, { webPushHosts }: PushPolicy): boolean =>
  destination?.provider === 'webpush' && !mayPushTo(webPushHosts)(destination.subscription.endpoint)

const keyFaults = (destination: Destination | undefined): ReadonlyArray<FieldError> =>
  destination?.provider === 'webpush'
    ? unusableKeys(destination.subscription.keys).map((key) =>
        fieldError('device_token', `must have a key ${key} that a push can be encrypted with`),
      )
    : []

/** A Web Push endpoint may lead to the allowed hosts only, and its keys must be usable (F5). */
const webPushFaults = (
  destination: Destination | undefined,
  policy: PushPolicy,
): ReadonlyArray<FieldError> => [
  ...(isRefused(destination, policy)
    ? [fieldError('device_token', 'must have its endpoint at a push service that this service sends to')]
    : []),
  ...keyFaults(destination),
]

type KindPolicy = Pick<PeoplePolicy, 'pushDefault' | 'deviceCodecs'>

const destinationFor = (
  token: DeviceToken,
  { pushDefault, deviceCodecs }: KindPolicy,
): Destination | undefined => recognise(token, O.toUndefined(pushDefault), deviceCodecs)

/** Returns what a device with this token is recorded as (F5). */
export const kindOf = (token: DeviceToken, policy: KindPolicy): DeviceKind =>
  destinationFor(token, policy)?.provider ?? 'unroutable'

/** Attaches a device to a user, with the kind of its token (F1, F4, F5). */
export const makeAttachDevice =
  (ports: Pick<PeoplePorts, 'devices' | 'clock'>, policy: PushPolicy) =>
  (
    caller: Caller,
    { email: inPath, device_token: token }: AttachDevice,
    receipt?: Receipt<Device>,
  ): TE.TaskEither<InsufficientScope | ValidationFailed | NoActingUser | Unavailable, Device> => {
    const destination = destinationFor(token, policy)
    const attach = (email: Email): TE.TaskEither<ValidationFailed | NoActingUser | Unavailable, Device> => {
      const [first, ...rest] = webPushFaults(destination, policy)
      if (first !== undefined) return TE.left(validationFailed([first, ...rest]))
      const attachedAt = ports.clock.now()
      const device: Device = { token, email, kind: kindOf(token, policy), attachedAt }
      return pipe(
        ports.devices.attach(device, receiptAbout(receipt, email, deviceKeys(device).identity), {
          ...actingFor(caller, 'attach-device'),
          at: attachedAt,
        }),
        TE.map(() => device),
      )
    }
    return forActingUser(caller, inPath, attach)
  }

/** What else is wrong with an attachment that is refused already (I1). */
export const makeFurtherDeviceErrors =
  (policy: PushPolicy) =>
  (
    caller: Caller,
    raw: RawParameters,
  ): TE.TaskEither<InsufficientScope | NoActingUser, ReadonlyArray<FieldError>> =>
    pipe(
      furtherUserErrors(caller, raw),
      TE.map((faults) => {
        const token = readField(DeviceToken, raw, 'device_token')
        const destination = token === undefined ? undefined : destinationFor(token, policy)
        return [...faults, ...webPushFaults(destination, policy)]
      }),
    )

/** Parameters of DELETE /user/<email>/notification/token/<token>. */
export const DetachDevice = parameters({
  name: 'DetachDevice',
  required: { email: PathSegment, token: DeviceToken },
  optional: {},
})
export type DetachDevice = typeof DetachDevice._A

/** Detaches a device from a user, who must hold it, by any text that leads to it (F4). */
export const makeDetachDevice =
  (
    ports: Pick<PeoplePorts, 'devices' | 'clock'>,
    policy: Pick<PeoplePolicy, 'pushDefault' | 'deviceCodecs'>,
  ) =>
  (
    caller: Caller,
    { email, token }: DetachDevice,
  ): TE.TaskEither<
    InsufficientScope | ValidationFailed | NoActingUser | DeviceNotFound | Unavailable,
    void
  > =>
    forActingUser(caller, email, (subject) =>
      ports.devices.detach(
        subject,
        { token, kind: kindOf(token, policy) },
        {
          ...actingFor(caller, 'detach-device'),
          at: ports.clock.now(),
        },
      ),
    )

/** Returns the devices of a user with their tokens; none for an unknown one (F3, F4, M10). */
export const makeListDevices =
  (ports: Pick<PeoplePorts, 'clock' | 'devices'>) =>
  (
    caller: Caller,
    { email }: OneUser,
  ): TE.TaskEither<
    InsufficientScope | PresenceRequired | ValidationFailed | NoActingUser,
    ResultSet<Device, never>
  > =>
    permitted(
      'listDevices',
      caller,
      ports.clock,
    )(() => withActingUser(caller, email, (subject) => TE.right(ports.devices.ofUser(subject))))
