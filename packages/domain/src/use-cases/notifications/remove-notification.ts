import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { NotificationNotFound, NotificationStarted } from '../../notifications/notification.ts'
import type { NotificationPorts } from '../../ports/of-notifications.ts'
import { NotificationId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Parameters of DELETE /notification/<notificationId>. */
export const OneNotification = parameters({
  name: 'OneNotification',
  required: { id: NotificationId },
  optional: {},
})
export type OneNotification = typeof OneNotification._A

const deletion = ({ clock }: Pick<NotificationPorts, 'clock'>, { actor }: Caller): TimedAct => ({
  actor,
  action: 'delete-notification',
  at: clock.now(),
})

/** Deletes a notification; one that is being sent stops (G3). */
export const makeRemoveNotification =
  (ports: Pick<NotificationPorts, 'notifications' | 'clock'>) =>
  (
    caller: Caller,
    { id }: OneNotification,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | Unavailable, void> =>
    permitted('removeNotification', caller)(() => ports.notifications.remove(id, deletion(ports, caller)))

/** Deletes a notification that no review has started; one that is started stays (G3, G4). */
export const makeWithdrawNotification =
  (ports: Pick<NotificationPorts, 'notifications' | 'clock'>) =>
  (
    caller: Caller,
    { id }: OneNotification,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | NotificationStarted | Unavailable, void> =>
    permitted('removeNotification', caller)(() => ports.notifications.withdraw(id, deletion(ports, caller)))
