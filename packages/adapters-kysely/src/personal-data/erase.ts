import { createHash } from 'node:crypto'
import type { Email, Instant, ItemId } from '@almoner/domain'
import type { InsufficientRole, TimedAct } from '@almoner/domain/access'
import { isLastOperator, LAST_OPERATOR, type LastOperator, type NoSession } from '@almoner/domain/managers'
import type { MediaName } from '@almoner/domain/media'
import { type DeviceToken, newUser, USER_NOT_FOUND, type UserNotFound } from '@almoner/domain/people'
import type { ErasedBy } from '@almoner/domain/ports'
import { asciiForm } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { endBindings, forgetKeys } from '../access/tokens.ts'
import type { Db } from '../database/database.ts'
import { paddedInLists } from '../database/writes.ts'
import { eraseRecipients, lockedDeliveries } from '../delivery/retention.ts'
import { deleteRecordedReasons, numberOf, recordUserAct } from '../history.ts'
import { endSignIns, forgetProposer, lockManagers } from '../managers/managers.ts'
import { deletePassword } from '../managers/passwords.ts'
import { deleteCopies, forgetImages } from '../managers/working-copies.ts'
import { presentEpoch } from '../people/audience.ts'
import { lockedUser } from '../people/users.ts'
import { tokenDigest } from '../schema/device.table.ts'

/** Deletes the devices of a person, attached and dead, and the responses that hold one of their tokens. Returns the tokens. */
const deleteDevices = async (db: Db, email: Email): Promise<ReadonlyArray<DeviceToken>> => {
  const rows = []
  for (const table of ['device', 'dead_device'] as const)
    rows.push(
      ...(await db
        .deleteFrom(table)
        .where('email', '=', email)
        .returning(['token', 'token_digest'])
        .execute()),
    )
  const tokens = rows.map(({ token }) => token)
  // Responses that an earlier version stored have the digest of the text.
  const digests = [...rows.map(({ token_digest }) => token_digest), ...tokens.map(tokenDigest)]
  for (const list of paddedInLists(digests))
    await db.deleteFrom('idempotency_key').where('token_digest', 'in', list).execute()
  return tokens
}

/** Locks a manager who is erased, and returns why the caller may not erase this one; undefined if the caller may (L4). */
const refusal = async (
  db: Db,
  email: Email,
  by: ErasedBy,
): Promise<InsufficientRole | LastOperator | NoSession | undefined> => {
  const locked = await lockManagers(db, email, by, 'operators')
  if (E.isLeft(locked)) return locked.left
  const { manager, operators } = locked.right
  if (manager === undefined) return undefined
  if (!by.isOperator) return { _tag: 'InsufficientRole', role: 'super-admin' }
  return isLastOperator(operators, email) ? LAST_OPERATOR : undefined
}

/** Removes what managers have written to the author of these posts, in the posts and in their history (L1, L3). */
const deleteReasons = async (db: Db, posts: ReadonlyArray<ItemId>): Promise<void> => {
  for (const list of paddedInLists(posts)) {
    await db.selectFrom('feed_item').select('id').where('id', 'in', list).orderBy('id').forUpdate().execute()
    await db
      .updateTable('feed_item')
      .set({ reason: null })
      .where('id', 'in', list)
      .where('reason', 'is not', null)
      .execute()
  }
  await deleteRecordedReasons(db, posts)
}

/** Deletes authorship and reasons, stored responses and a manager with sessions, passkeys, identity, password, working copies and waiting feed. Returns the number of changed rows, and the images that only the copies held. */
const forget = async (db: Db, email: Email) => {
  const authors = db.selectFrom('feed_author').select('item_id').where('email', '=', email)
  await authors.orderBy('item_id').forUpdate().execute()
  const authored = await db
    .deleteFrom('feed_author')
    .where('email', '=', email)
    .returning('item_id')
    .execute()
  const deleted = await db
    .updateTable('deleted_item')
    .set({ author_client: null, author_email: null })
    .where('author_email', '=', email)
    .returning(['deletion_id', 'item_id', 'item'])
    .execute()
  for (const { deletion_id, item } of deleted) {
    const whole = JSON.stringify({ ...(JSON.parse(item) as object), reason: null })
    await db.updateTable('deleted_item').set({ item: whole }).where('deletion_id', '=', deletion_id).execute()
  }
  const keys = await forgetKeys(db, email)
  await endSignIns(db, email)
  await db.deleteFrom('wrong_code').where('email', '=', email).execute()
  await db.deleteFrom('passkey').where('email', '=', email).execute()
  await db.deleteFrom('manager_identity').where('email', '=', email).execute()
  await deletePassword(db, email)
  const images = await deleteCopies(db, email)
  await db.deleteFrom('waiting_feed').where('email', '=', email).execute()
  const managers = await db.deleteFrom('manager').where('email', '=', email).returning('email').execute()
  await deleteReasons(db, [...authored, ...deleted].map(({ item_id }) => item_id).sort())
  await forgetProposer(db, email)
  return {
    rows: authored.length + deleted.length + keys + managers.length,
    // Images are locked after items.
    images: await forgetImages(db, images),
  }
}

/** Returns the digest by which a person is known whose erasure is unfinished. */
export const digestOfErased = (email: Email): string => createHash('sha256').update(email).digest('hex')

const isUnfinished = async (db: Db, email: Email): Promise<boolean> =>
  (await db
    .selectFrom('unfinished_erasure')
    .select('digest')
    .where('digest', '=', digestOfErased(email))
    .executeTakeFirst()) !== undefined

/**
 * Erases a person (L1) and returns the erased address and tokens; `onImages` is called with the images that are forgotten. Locks in the order of all writers (ARCHITECTURE.md, Locks). An unknown user is
 * made first, so that writers that would make it wait: each of them comes wholly before the erasure, or wholly after it. The devices are locked
 * before snapshots are read, because detaching one concurrently writes a snapshot. A person whose erasure is unfinished is erased again.
 */
export const erasePerson = async (
  db: Db,
  email: Email,
  now: Instant,
  act?: TimedAct,
  by: ErasedBy = { isOperator: true },
  onImages: (images: ReadonlyArray<MediaName>) => void = () => {},
): Promise<E.Either<UserNotFound | InsufficientRole | LastOperator | NoSession, ReadonlyArray<string>>> => {
  const bindings = await endBindings(db, email)
  const { isNew } = await lockedUser(db, newUser(email))
  await presentEpoch(db)
  const deliveries = await lockedDeliveries(db)
  await db.selectFrom('device').select('id').where('email', '=', email).orderBy('id').forUpdate().execute()
  const recipients = await eraseRecipients(db, deliveries, email, now)
  const tokens = await deleteDevices(db, email)
  // Former preferences and seen marks go with the row.
  await db.deleteFrom('person').where('email', '=', email).execute()
  const refused = await refusal(db, email, by)
  if (refused !== undefined) return E.left(refused)
  const { rows: others, images } = await forget(db, email)
  onImages(images)
  const isNumbered = (await numberOf(db, email)) !== undefined
  const isKnown = !isNew || isNumbered || bindings + recipients + tokens.length + others > 0
  // Before addresses had one form, the file held the other one (F1).
  const texts = [...new Set([email, asciiForm(email)]), ...tokens]
  if (!isKnown) return (await isUnfinished(db, email)) ? E.right(texts) : E.left(USER_NOT_FOUND)
  await recordUserAct(db, act, email)
  await db.deleteFrom('user_number').where('email', '=', email).execute()
  return E.right(texts)
}
