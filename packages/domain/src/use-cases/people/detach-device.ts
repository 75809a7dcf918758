import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import type { NoActingUser } from '../../people/acting-user.ts'
import type { DeviceNotFound } from '../../people/device.ts'
import { DeviceToken } from '../../people/device-token.ts'
import type { PeoplePolicy, PeoplePorts } from '../../ports/of-people.ts'
import { PathSegment } from '../../values/addresses.ts'
import { parameters, type ValidationFailed } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { kindOf } from './attach-device.ts'
import { actingFor, forActingUser } from './one-user.ts'

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
