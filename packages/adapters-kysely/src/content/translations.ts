import type { ItemId, LibraryItem } from '@almoner/domain'
import type { TimedAct } from '@almoner/domain/access'
import {
  type Base,
  baseAfter,
  CONFIRMED,
  COUNTERPART_NOT_FOUND,
  type Counterpart,
  type CounterpartNotFound,
  changedWords,
  ITEM_NOT_FOUND,
  type ItemCore,
  type ItemNotFound,
  type LinkedCounterpart,
  pairOf,
  TRANSLATED_FIELDS,
  type TranslationPair,
  translatedTexts,
  translationChange,
} from '@almoner/domain/content'
import type { Fields } from '@almoner/domain/history'
import type { Translations } from '@almoner/domain/ports'
import { LANGUAGES, type Language } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import { type Database, type Db, placeholders, queryCache, type SqlDialect } from '../database/database.ts'
import { paddedInList, workOf } from '../database/writes.ts'
import { recordAct } from '../history.ts'
import { columnOf, type LibraryItemRow } from '../schema/item.table.ts'
import type { TranslationRow } from '../schema/translation.table.ts'

type CounterpartRow = Pick<
  LibraryItemRow,
  'id' | 'lang' | 'status' | 'updated_at' | 'restricted' | 'publication_date'
>

/** A counterpart whose words differ from the base has the state of its revision there, and its present texts by field. */
type LinkedRow = CounterpartRow &
  Readonly<Record<string, unknown>> & { readonly of: ItemId; readonly base: string | null }

const COLUMNS = 'library_item.id, lang, status, updated_at, restricted, publication_date'

const fromRow = (row: CounterpartRow): Counterpart => ({
  id: row.id,
  lang: row.lang,
  status: row.status,
  updatedAt: row.updated_at,
  isDonorRestricted: row.restricted === 1,
  publicationDate: row.publication_date,
})

const stateOf = (json: string): Fields => JSON.parse(json) as Fields

const linkedFromRow = (row: LinkedRow): LinkedCounterpart => {
  const present = TRANSLATED_FIELDS.map(([name, property]) => [name, row[columnOf(property)] ?? ''])
  const changes = row.base === null ? [] : changedWords(stateOf(row.base), Object.fromEntries(present))
  return { ...fromRow(row), changes }
}

/** Joins the record of the revision that is the base on a side of a pair. */
const joinBase = (side: Language) => `left join audit_record as record on record.subject_id = ${side}_id
  and record.number = ${side}_base and record.subject_kind = 'library'`

/** Reads the counterparts of several items, with the words that changed since the base, by one statement. */
const makeReadCounterparts = () => {
  const run = queryCache()
  // The texts of pairs in step are not compared.
  const texts = (side: Language) =>
    TRANSLATED_FIELDS.map(([, property]) => columnOf(property))
      .map((column) => `case when ${side}_base is not null then library_item.${column} end as ${column}`)
      .join(', ')
  return async (db: Db, itemIds: ReadonlyArray<ItemId>): Promise<ReadonlyMap<ItemId, LinkedCounterpart>> => {
    if (itemIds.length === 0) return new Map()
    const ids = paddedInList(itemIds)
    const side = (own: Language, other: Language) =>
      `select ${own}_id as "of", ${COLUMNS}, ${texts(other)}, record.state as base
      from translation join library_item on library_item.id = ${other}_id ${joinBase(other)}
      where ${own}_id in (${placeholders(ids)})`
    const statement = `${side('en', 'fr')} union all ${side('fr', 'en')}`
    const rows = await run<LinkedRow>(db, statement, [...ids, ...ids])
    return new Map(rows.map((row) => [row.of, linkedFromRow(row)]))
  }
}

const isLive = (id: string) =>
  `exists (select 1 from library_item where library_item.id = ${id} and status = 'Live')`

const OLDER_ID = { en_base: 'fr_id', fr_base: 'en_id' } as const

/** The pairs of which one side is older, both being Live: the id of that side. */
export const OLDER_LIVE = Object.entries(OLDER_ID)
  .map(
    ([base, id]) =>
      `select ${id} as id from translation where ${base} is not null and ${isLive('en_id')} and ${isLive('fr_id')}`,
  )
  .join(' union all ')

const IN_STEP = 'update translation set en_base = null, fr_base = null where en_id = ?'

/** Makes the latest revision of an item the base on its side. An item without records has none. */
const begins = (
  side: Language,
) => `update translation set ${side}_base = (select max(number) from audit_record
  where subject_id = ${side}_id and number is not null and subject_kind = 'library' and is_latest = 1)
  where ${side}_id = ?`

type HeldPair = Pick<TranslationRow, 'en_id' | 'en_base' | 'fr_base'> & { readonly state: string | null }

/** Returns the base of a pair as a write of the side in a language sees it. */
const baseOf = (pair: HeldPair, lang: Language): O.Option<Base> => {
  if (pair.en_base === null && pair.fr_base === null) return O.none
  const side = pair[`${lang}_base`] === null ? 'counterpart' : 'item'
  return O.some({ side, state: stateOf(pair.state ?? '{}') })
}

/**
 * Makes a function that keeps the base of an item's pair through a write of the item (J8). It runs before the write's revision is recorded, and
 * locks the pair, so that writes of both sides are one after the other.
 */
export const makeKeepBase = ({ locksRows }: SqlDialect) => {
  const run = queryCache()
  const lock = locksRows ? ' for update of translation' : ''
  const held = (side: Language) =>
    `select en_id, en_base, fr_base, state from translation ${joinBase(side)} where ${side}_id = ?${lock}`
  return async (db: Db, before: LibraryItem, after: LibraryItem): Promise<void> => {
    const [from, to] = [translatedTexts(before), translatedTexts(after)]
    if (changedWords(from, to).length === 0) return
    const { id, lang } = after
    const [pair] = await run<HeldPair>(db, held(lang), [id])
    if (pair === undefined) return
    const change = baseAfter(baseOf(pair, lang), from, to)
    if (change === 'begins') await run(db, begins(lang), [id])
    else if (change === 'in step') await run(db, IN_STEP, [pair.en_id])
  }
}

/** Forgets bases whose revisions are not there: these pairs are in step as they are (J8). */
export const forgetLostBases = async (db: Db): Promise<void> => {
  for (const side of LANGUAGES)
    await sql
      .raw(
        `update translation set ${side}_base = null where ${side}_base is not null and not exists (select 1 from audit_record
        where subject_id = ${side}_id and number = ${side}_base and subject_kind = 'library')`,
      )
      .execute(db)
}

const isLinked = async (db: Db, { en, fr }: TranslationPair): Promise<boolean> => {
  const found = await db
    .selectFrom('translation')
    .select('en_id')
    .where('en_id', '=', en)
    .where('fr_id', '=', fr)
    .executeTakeFirst()
  return found !== undefined
}

const removeLinks = (db: Db, ids: ReadonlyArray<ItemId>) =>
  db
    .deleteFrom('translation')
    .where((of) => of.or([of('en_id', 'in', ids), of('fr_id', 'in', ids)]))
    .returning(['en_id', 'fr_id'])
    .execute()

/** Returns the other side of the link of an item, if one of these is its. */
const otherSideOf = (
  links: ReadonlyArray<{ readonly en_id: ItemId; readonly fr_id: ItemId }>,
  id: ItemId,
): ItemId | undefined => {
  const link = links.find(({ en_id, fr_id }) => en_id === id || fr_id === id)
  return link?.en_id === id ? link.fr_id : link?.en_id
}

/** Links a pair that is not linked, in place of earlier links of both; recorded about one of its sides. */
const linkPair = async (db: Db, { en, fr }: TranslationPair, id: ItemId, act: TimedAct | undefined) => {
  const removed = await removeLinks(db, [en, fr])
  await db.insertInto('translation').values({ en_id: en, fr_id: fr, en_base: null, fr_base: null }).execute()
  const changes = [translationChange(otherSideOf(removed, id), id === en ? fr : en)]
  await recordAct(db, act, { kind: 'library', id }, changes)
}

/** A link of an item that is deleted: the other side, with the bases of the pair (C18). */
export interface TakenLink extends Pick<TranslationRow, 'en_base' | 'fr_base'> {
  readonly counterpart: ItemId
}

/** Removes the link of an item that is deleted, and returns it. */
export const takeLink = async (db: Db, id: ItemId): Promise<TakenLink | undefined> => {
  const row = await db
    .deleteFrom('translation')
    .where((of) => of.or([of('en_id', '=', id), of('fr_id', '=', id)]))
    .returningAll()
    .executeTakeFirst()
  return row && { ...row, counterpart: row.en_id === id ? row.fr_id : row.en_id }
}

/** Links an item again as before, unless its counterpart has another link or language, or is gone (C18). */
export const linkAgain = async (
  db: Db,
  { id, lang }: Pick<ItemCore, 'id' | 'lang'>,
  { counterpart, en_base, fr_base }: TakenLink,
): Promise<void> => {
  const other = await db
    .selectFrom('library_item')
    .select('lang')
    .where('id', '=', counterpart)
    .forUpdate()
    .executeTakeFirst()
  if (other === undefined || other.lang === lang || (await hasCounterpart(db, counterpart))) return
  const [en_id, fr_id] = lang === 'en' ? [id, counterpart] : [counterpart, id]
  await db.insertInto('translation').values({ en_id, fr_id, en_base, fr_base }).execute()
}

/** Returns whether an item has a counterpart (J7). */
export const hasCounterpart = async (db: Db, id: ItemId): Promise<boolean> => {
  const found = await db
    .selectFrom('translation')
    .select('en_id')
    .where((of) => of.or([of('en_id', '=', id), of('fr_id', '=', id)]))
    .executeTakeFirst()
  return found !== undefined
}

/** Links between publications (J7). */
export const makeTranslations = (database: Database): Omit<Translations, 'publications'> => {
  const readCounterparts = makeReadCounterparts()
  const lock = database.dialect.locksRows ? ' for update' : ''
  const run = queryCache()
  /** Reads items. With {@link lock}, their languages stay as they are until the transaction ends. */
  const readItems = async (db: Db, ids: ReadonlyArray<ItemId>, how = '') => {
    const statement = `select ${COLUMNS} from library_item where id in (${placeholders(ids)}) order by id${how}`
    const rows = await run<CounterpartRow>(db, statement, ids)
    return new Map(rows.map((row) => [row.id, fromRow(row)]))
  }
  const heldPair = `select en_id, fr_id, en_base, fr_base from translation where en_id = ? or fr_id = ?${lock}`
  /** Brings a pair in step; returns the other side. The record is about the side that was older. */
  const confirmPair = async (db: Db, id: ItemId, act: TimedAct | undefined): Promise<ItemId | undefined> => {
    const [pair] = await run<TranslationRow>(db, heldPair, [id, id])
    if (pair === undefined) return undefined
    const { en_id, fr_id, en_base, fr_base } = pair
    if (en_base !== null || fr_base !== null) {
      await run(db, IN_STEP, [en_id])
      await recordAct(db, act, { kind: 'library', id: en_base === null ? en_id : fr_id }, [CONFIRMED])
    }
    return id === en_id ? fr_id : en_id
  }
  return {
    ofItems: (ids) => database.read((db) => readCounterparts(db, ids), workOf(ids)),

    older: (most) =>
      database.read(async (db) => {
        const rows = await run<{ readonly id: ItemId }>(db, `${OLDER_LIVE} order by id limit ?`, [most])
        return rows.map(({ id }) => id)
      }),

    link: (id, counterpartId, act, confirming) =>
      database.write(
        async (db) => {
          const items = await readItems(db, [id, counterpartId], lock)
          const found = pairOf(items.get(id), items.get(counterpartId))
          if (E.isLeft(found)) return found
          const { pair, counterpart } = found.right
          if (!(await isLinked(db, pair))) await linkPair(db, pair, id, act)
          else if (confirming !== undefined) await confirmPair(db, id, confirming)
          return E.right(counterpart)
        },
        { notify: ['library'] },
      ),

    confirm: (id, act) =>
      database.write(
        async (db): Promise<E.Either<ItemNotFound | CounterpartNotFound, Counterpart>> => {
          const other = await confirmPair(db, id, act)
          const items = await readItems(db, other === undefined ? [id] : [other])
          const counterpart = other === undefined ? undefined : items.get(other)
          if (counterpart !== undefined) return E.right(counterpart)
          return E.left(items.size === 0 ? ITEM_NOT_FOUND : COUNTERPART_NOT_FOUND)
        },
        { notify: ['library'] },
      ),

    unlink: (id, act) =>
      database.write(
        async (db): Promise<E.Either<ItemNotFound | CounterpartNotFound, void>> => {
          const counterpart = otherSideOf(await removeLinks(db, [id]), id)
          if (counterpart !== undefined) {
            await recordAct(db, act, { kind: 'library', id }, [translationChange(counterpart, undefined)])
            return E.right(undefined)
          }
          const item = await db
            .selectFrom('library_item')
            .select('id')
            .where('id', '=', id)
            .executeTakeFirst()
          return E.left(item === undefined ? ITEM_NOT_FOUND : COUNTERPART_NOT_FOUND)
        },
        { notify: ['library'] },
      ),
  }
}
