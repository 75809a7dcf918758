import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, type PresenceRequired, permitted } from '../../access/caller.ts'
import type { NoActingUser } from '../../people/acting-user.ts'
import type { Device } from '../../people/device.ts'
import type { PeoplePorts } from '../../ports/of-people.ts'
import type { ResultSet } from '../../values/page.ts'
import type { ValidationFailed } from '../../values/parameters.ts'
import { type OneUser, withActingUser } from './one-user.ts'

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
