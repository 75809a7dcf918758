import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import type { NoActingUser } from '../../people/acting-user.ts'
import type { Device } from '../../people/device.ts'
import type { Ports } from '../../ports/index.ts'
import type { ResultSet } from '../../values/page.ts'
import type { ValidationFailed } from '../../values/parameters.ts'
import { forActingUser, type OneUser } from './one-user.ts'

/** The devices of a user; none for an unknown one (F3, F4). */
export const makeListDevices =
  (ports: Pick<Ports, 'devices'>) =>
  (
    caller: Caller,
    { email }: OneUser,
  ): TE.TaskEither<InsufficientScope | ValidationFailed | NoActingUser, ResultSet<Device, never>> =>
    forActingUser(caller, email, (subject) => TE.right(ports.devices.ofUser(subject)))
