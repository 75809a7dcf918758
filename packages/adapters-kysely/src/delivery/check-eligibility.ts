import type { Instant } from '@almoner/domain'
import { CLAIM_LOST, type Claim, type ClaimLost, type Eligibility, type EligibleDevice, type Recipient } from '@almoner/domain/delivery'
import type { DeviceId } from '@almoner/domain/people'
import * as E from 'fp-ts/lib/Either.js'
import { paddedInLists } from '../database/batches.ts'
import type { Db } from '../database/database.ts'
import { isSubscribed } from '../people/audience.ts'
import { DEVICE_COLUMNS } from '../people/devices.ts'
import { isOurs } from './delivery-rows.ts'
import { closedIn } from './origin-rows.ts'

/** Those recipients whose device is there, theirs, and subscribed (G4), and the origins that are closed (G15). */
export const checkEligibility = async (
  db: Db,
  claim: Claim,
  { recipients, now }: { readonly recipients: ReadonlyArray<Recipient>; readonly now: Instant },
): Promise<E.Either<ClaimLost, Eligibility>> => {
  if (!(await isOurs(db, claim))) return E.left(CLAIM_LOST)
  const emails = new Map(recipients.map(({ deviceId, email }) => [deviceId, email]))
  const found = new Map<DeviceId, EligibleDevice>()
  for (const list of paddedInLists([...emails.keys()])) {
    const rows = await db
      .selectFrom('device')
      .select(DEVICE_COLUMNS)
      .where('id', 'in', list)
      .where(isSubscribed)
      .execute()
    for (const { id, email, token, kind, attached_at } of rows)
      if (email === emails.get(id)) found.set(id, { token, kind, attachedAt: attached_at })
  }
  return E.right({ devices: found, closed: await closedIn(db, claim.notificationId, now) })
}
