import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Receipt, receiptAbout } from '../../access/acts.ts'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import type { NoActingUser } from '../../people/acting-user.ts'
import { type Destination, type DeviceKind, recognise } from '../../people/destination.ts'
import type { Device } from '../../people/device.ts'
import { deviceKeys } from '../../people/device-identity.ts'
import { DeviceToken } from '../../people/device-token.ts'
import { mayPushTo } from '../../people/push-hosts.ts'
import { unusableKeys } from '../../people/web-push-keys.ts'
import type { PeoplePolicy, PeoplePorts } from '../../ports/of-people.ts'
import { type Email, PathSegment } from '../../values/addresses.ts'
import {
  type FieldError,
  fieldError,
  parameters,
  type RawParameters,
  readField,
  type ValidationFailed,
  validationFailed,
} from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { actingFor, forActingUser, furtherUserErrors } from './one-user.ts'

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
