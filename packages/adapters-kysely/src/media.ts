import type { Instant, ItemId } from '@almoner/domain'
import type { ItemCore } from '@almoner/domain/content'
import { type ContentType, canBeUndone } from '@almoner/domain/history'
import type { MediaName, StoredImage } from '@almoner/domain/media'
import type { ImageMissing, ItemWrite, KnownImages, StorageIdentity } from '@almoner/domain/ports'
import { latestNoted } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { makeRecordChanges, recordSizes } from './changes.ts'
import type { Database, Db } from './database/database.ts'
import { paddedInList, QUIET, quietly, workOf } from './database/writes.ts'
import type { MediaRow } from './schema/media.table.ts'

interface ImageHolder {
  readonly contentType: ContentType
  readonly id: ItemId
}

const heldBy = async (db: Db, { contentType, id }: ImageHolder): Promise<ReadonlyArray<MediaName>> => {
  const rows = await db
    .selectFrom('media_reference')
    .select('name')
    .where('content_type', '=', contentType)
    .where('item_id', '=', id)
    .execute()
  return rows.map(({ name }) => name)
}

/** Returns those of the names that are known, held still until the transaction ends, so that no use of them comes or goes. */
export const knownAmong = async (
  db: Db,
  names: ReadonlyArray<MediaName>,
): Promise<ReadonlySet<MediaName>> => {
  if (names.length === 0) return new Set()
  const rows = await db
    .selectFrom('media')
    .select('name')
    .where('name', 'in', names)
    .orderBy('name')
    .forUpdate()
    .execute()
  return new Set(rows.map(({ name }) => name))
}

const addReferences = async (
  db: Db,
  { contentType, id }: ImageHolder,
  names: ReadonlyArray<MediaName>,
): Promise<void> => {
  if (names.length === 0) return
  const uses = names.map((name) => ({ content_type: contentType, item_id: id, name }))
  await db.insertInto('media_reference').values(uses).execute()
}

const release = async (
  db: Db,
  { contentType, id }: ImageHolder,
  names: ReadonlyArray<MediaName>,
): Promise<void> => {
  if (names.length === 0) return
  await db
    .deleteFrom('media_reference')
    .where('content_type', '=', contentType)
    .where('item_id', '=', id)
    .where('name', 'in', names)
    .execute()
}

/** Adds references of another holder than an item. */
export const addHolds = async (db: Db, holder: string, names: ReadonlyArray<MediaName>): Promise<void> => {
  if (names.length === 0) return
  const holds = names.map((name) => ({ holder, name }))
  await db.insertInto('media_hold').values(holds).execute()
}

/** Forgets those of the images that nothing holds, and returns their names. */
export const forgetUnheld = async (
  db: Db,
  names: ReadonlyArray<MediaName>,
): Promise<ReadonlyArray<MediaName>> => {
  if (names.length === 0) return []
  const rows = await db
    .deleteFrom('media')
    .where('name', 'in', names)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('media_reference').select('item_id').whereRef('media_reference.name', '=', 'media.name'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('media_hold').select('holder').whereRef('media_hold.name', '=', 'media.name'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('working_copy_image')
            .select('key')
            .whereRef('working_copy_image.name', '=', 'media.name'),
        ),
      ),
    )
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Makes stored images known. */
export const addKnown = async (db: Db, images: ReadonlyArray<StoredImage>): Promise<void> => {
  if (images.length === 0) return
  const rows = images.map(({ name, type, bytes, size }) => ({
    ...{ name, type, bytes },
    ...{ width: size?.width ?? null, height: size?.height ?? null, released_at: null },
  }))
  await db.insertInto('media').values(rows).execute()
}

/** Lets a new item hold those of the images that are known, inside the transaction that writes the item. */
export const linkToImages = async (
  db: Db,
  holder: ImageHolder,
  linksToImages: ReadonlyArray<MediaName>,
): Promise<void> => addReferences(db, holder, [...(await knownAmong(db, linksToImages))])

/** Notes when images were released, so that undo finds them for an hour (D5). The moment means nothing while another item holds one. */
export const noteRelease = async (db: Db, names: ReadonlyArray<MediaName>, at: Instant): Promise<void> => {
  if (names.length > 0)
    await db.updateTable('media').set({ released_at: at }).where('name', 'in', names).execute()
}

/**
 * Makes an item hold exactly the stored images that it shows and mentions, inside the transaction that writes the item.
 * Gives the images that lost their last holder, forgotten now unless the act can be undone (D5); ImageGone when one that is to be shown is unknown.
 */
export const holdImages = async (
  db: Db,
  holder: ImageHolder,
  { item, act, storesImages, displaysImages, linksToImages }: ItemWrite<Pick<ItemCore, 'updatedAt'>>,
): Promise<E.Either<ImageMissing, ReadonlyArray<MediaName>>> => {
  await addKnown(db, storesImages)
  const before = await heldBy(db, holder)
  const asked = [...displaysImages, ...linksToImages]
  const touched = [...new Set([...before, ...storesImages.map(({ name }) => name), ...asked])]
  const known = await knownAmong(db, touched)
  const gone = displaysImages.find((name) => !known.has(name))
  if (gone !== undefined) return E.left({ _tag: 'ImageMissing', name: gone })
  const wanted = new Set(asked.filter((name) => known.has(name)))
  const fresh = [...wanted].filter((name) => !before.includes(name))
  const dropped = touched.filter((name) => !wanted.has(name))
  await addReferences(db, holder, fresh)
  await release(db, holder, dropped)
  if (!canBeUndone(act)) return E.right(await forgetUnheld(db, dropped))
  await noteRelease(db, dropped, item.updatedAt)
  return E.right([])
}

/** Lets another holder than an item hold images, inside the transaction that writes it. ImageMissing when one that it shows is unknown. */
export const holdAside = async (
  db: Db,
  holder: string,
  { storesImages, displaysImages, linksToImages }: Omit<ItemWrite<never>, 'item'>,
): Promise<E.Either<ImageMissing, ReadonlyArray<MediaName>>> => {
  await addKnown(db, storesImages)
  const known = await knownAmong(db, [...new Set([...displaysImages, ...linksToImages])])
  const gone = displaysImages.find((name) => !known.has(name))
  if (gone !== undefined) return E.left({ _tag: 'ImageMissing', name: gone })
  await addHolds(db, holder, [...known])
  return E.right([...known])
}

/** Moves the references of an item to another holder, so that its images stay known (C18). */
export const handOver = async (db: Db, item: ImageHolder, holder: string): Promise<void> => {
  const names = await heldBy(db, item)
  if (names.length === 0) return
  await knownAmong(db, names)
  await addHolds(db, holder, names)
  await release(db, item, names)
}

const takeHolds = async (db: Db, holders: ReadonlyArray<string>): Promise<ReadonlyArray<MediaName>> => {
  const rows = await db
    .deleteFrom('media_hold')
    .where('holder', 'in', paddedInList(holders))
    .returning('name')
    .execute()
  return [...new Set(rows.map(({ name }) => name))]
}

/** Gives an item its references back. */
export const takeBack = async (db: Db, item: ImageHolder, holder: string): Promise<void> =>
  addReferences(db, item, await takeHolds(db, [holder]))

/** Ends the references of other holders than items. Returns the images that lost their last holder, forgotten now (D5). */
export const letGo = async (db: Db, holders: ReadonlyArray<string>): Promise<ReadonlyArray<MediaName>> => {
  const names = await takeHolds(db, holders)
  await knownAmong(db, names)
  return forgetUnheld(db, names)
}

/** Names asked for in one statement. */
const CHUNK = 500

const sizeOf = ({ name, width, height }: Pick<MediaRow, 'name' | 'width' | 'height'>) =>
  width && height ? [[name, { width, height }] as const] : []

/** Which stored images the database knows of, and their sizes (D5, D9). */
export const makeKnownImages = (database: Database): KnownImages => ({
  isEmpty: () =>
    database.read(
      async (db) => (await db.selectFrom('media').select('name').limit(1).executeTakeFirst()) === undefined,
    ),
  among: (names) =>
    database.read(async (db) => {
      const known = new Set<MediaName>()
      for (let at = 0; at < names.length; at += CHUNK) {
        const chunk = names.slice(at, at + CHUNK)
        const rows = await db.selectFrom('media').select('name').where('name', 'in', chunk).execute()
        for (const { name } of rows) known.add(name)
      }
      return known
    }),
  sizesOf: (names) =>
    database.read(async (db) => {
      const rows = []
      for (let at = 0; at < names.length; at += CHUNK) {
        const list = paddedInList(names.slice(at, at + CHUNK))
        const query = db.selectFrom('media').select(['name', 'width', 'height']).where('name', 'in', list)
        rows.push(...(await query.execute()))
      }
      return new Map(rows.flatMap(sizeOf))
    }, workOf(names)),
  unmeasured: (most) =>
    database.read(async (db) => {
      const query = db.selectFrom('media').select('name').where('width', 'is', null)
      return (await query.orderBy('name').limit(most).execute()).map(({ name }) => name)
    }),
  forgetReleased: (before, now) =>
    database.write(async (db) => {
      const old = await db
        .selectFrom('media')
        .select('name')
        .where(({ eb, or }) => or([eb('released_at', '<', before), eb('released_at', '>', latestNoted(now))]))
        .orderBy('released_at')
        .limit(CHUNK)
        .execute()
      // Held still, so that no item takes one back between the look and the deletion.
      const names = [
        ...(await knownAmong(
          db,
          old.map(({ name }) => name),
        )),
      ]
      const forgotten = await forgetUnheld(db, names)
      // An item shows these again.
      const shown = names.filter((name) => !forgotten.includes(name))
      if (shown.length > 0)
        await db.updateTable('media').set({ released_at: null }).where('name', 'in', shown).execute()
      return E.right(forgotten)
    }, QUIET),
  recordSize: (name, size) =>
    database.write(
      async (db) => {
        const { width, height } = O.getOrElse(() => ({ width: 0, height: 0 }))(size)
        await db.updateTable('media').set({ width, height }).where('name', '=', name).execute()
        await recordSizes(db, makeRecordChanges(database.dialect), name)
        return E.right(undefined)
      },
      { notify: ['images'] },
    ),
})

/** The table of the storage's identity, which no export carries: an import makes a new one (D6). */
export const STORAGE_TABLE = 'storage_identity'

const row = (db: Db) => db.selectFrom(STORAGE_TABLE).selectAll().executeTakeFirst()

/** Keeps the identity of the image storage in a table of one row (D6). No cache depends on it, so its writes are quiet. */
export const makeStorageIdentity = (database: Database): StorageIdentity => ({
  find: () => database.read(async (db) => O.fromNullable((await row(db))?.id)),

  establish: (id) =>
    quietly(database, async (db) => {
      const { id: established } = await db
        .insertInto(STORAGE_TABLE)
        .values({ one: 1, id, sweep_refusal: null })
        .onConflict((conflict) =>
          conflict.column('one').doUpdateSet(({ fn }) => ({
            id: fn.coalesce(`${STORAGE_TABLE}.id`, 'excluded.id'),
          })),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      return established ?? id
    }),

  recordSweep: (refusal) =>
    quietly(database, async (db) => {
      const sweep_refusal = O.toNullable(refusal)
      await db
        .insertInto(STORAGE_TABLE)
        .values({ one: 1, id: null, sweep_refusal })
        .onConflict((conflict) => conflict.column('one').doUpdateSet({ sweep_refusal }))
        .execute()
    }),

  lastRefusal: () => database.read(async (db) => O.fromNullable((await row(db))?.sweep_refusal)),
})
