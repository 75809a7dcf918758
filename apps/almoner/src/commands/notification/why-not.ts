import type { NotificationNotFound, Unavailable } from '@almoner/domain'
import { type Failure, failed, notAvailable } from '../../cli/failure.ts'

/** The line for a notification that cannot be shown. */
export const whyNot = (fault: NotificationNotFound | Unavailable): Failure =>
  fault._tag === 'NotificationNotFound'
    ? failed('there is no such notification')
    : notAvailable('the database')(fault)
