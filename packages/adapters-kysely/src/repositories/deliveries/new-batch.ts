import { type ClaimRequest, leaseFrom, type Recipient } from '@almoner/domain'
import type { Db } from '../../database/database.ts'
import { addBatch, rangeColumns, type Taken } from './batch-rows.ts'
import type { LiveDelivery } from './open.ts'
import { membersOf, type Range } from './range-members.ts'
import { gatherRetries } from './retries.ts'

const FIRST_FENCE = 1

const begin = async (
  db: Db,
  delivery: LiveDelivery,
  { now }: ClaimRequest,
  { recipients, range }: { readonly recipients: ReadonlyArray<Recipient>; readonly range: Range | undefined },
): Promise<Taken | undefined> => {
  if (recipients.length === 0) return undefined
  const lease = { fence: FIRST_FENCE, lease_until: leaseFrom(now) }
  await addBatch(db, delivery, { ...rangeColumns(range), ...lease, remaining: recipients.length })
  return { number: delivery.next_batch, fence: FIRST_FENCE, recipients }
}

/** Claims the next unclaimed recipients. Undefined if this range of devices has none. */
export const takeUnclaimed = async (
  db: Db,
  delivery: LiveDelivery,
  request: ClaimRequest,
): Promise<Taken | undefined> => {
  const after = delivery.claimed_upto
  const stretch = { after, upto: delivery.last_device }
  const { recipients, upto } = await membersOf(db, delivery, stretch, request.most)
  await db.updateTable('delivery').set({ claimed_upto: upto }).where('id', '=', delivery.id).execute()
  return begin(db, delivery, request, { recipients, range: { after, upto } })
}

/** The retries that are due. Undefined when there are none any more. */
export const takeRetries = async (
  db: Db,
  delivery: LiveDelivery,
  request: ClaimRequest,
): Promise<Taken | undefined> => {
  const recipients = await gatherRetries(db, delivery, request)
  return begin(db, delivery, request, { recipients, range: undefined })
}
