import {
  hostOf,
  isReached,
  type LinkFinding,
  type LinkRounds,
  NO_ROUNDS,
  type RoundEnd,
} from '@almoner/domain/content'
import type { LinkFindings } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import { type Database, type Db, UNBOUNDED } from '../database/database.ts'
import { type Deleted, inSteps } from '../database/purges.ts'
import { findInLists, insertChunks, purging, QUIET } from '../database/writes.ts'
import type { LinkFindingRow, LinkRoundRow } from '../schema/item.table.ts'

const endOf = ({ ended_at: at, hosts, unreached }: LinkRoundRow): O.Option<RoundEnd> =>
  at === null || hosts === null || unreached === null ? O.none : O.some({ at, hosts, unreached })

const roundsOf = (row: LinkRoundRow | undefined): LinkRounds =>
  row === undefined
    ? NO_ROUNDS
    : {
        step: row.step,
        number: row.number,
        begunAt: O.fromNullable(row.begun_at),
        position: O.fromNullable(row.position),
        heldUntil: O.fromNullable(row.held_until),
        shown: row.shown,
        ended: endOf(row),
      }

const cellsOf = ({ begunAt, position, heldUntil, ended, ...rounds }: LinkRounds) => {
  const end = O.toUndefined(ended)
  return {
    ...rounds,
    begun_at: O.toNullable(begunAt),
    position: O.toNullable(position),
    held_until: O.toNullable(heldUntil),
    ended_at: end?.at ?? null,
    hosts: end?.hosts ?? null,
    unreached: end?.unreached ?? null,
  }
}

const rowOf = (round: number, { contentType, itemId, gone, ...finding }: LinkFinding): LinkFindingRow => {
  const last = O.toUndefined(gone)
  return {
    ...finding,
    round,
    item_id: itemId,
    content_type: contentType,
    host: hostOf(finding.url),
    reached: isReached(finding.answer) ? 1 : 0,
    gone_answer: last?.answer ?? null,
    gone_since: last?.since ?? null,
  }
}

const findingOf = (row: LinkFindingRow): LinkFinding => ({
  contentType: row.content_type,
  itemId: row.item_id,
  field: row.field,
  url: row.url,
  answer: row.answer,
  at: row.at,
  verdict: row.verdict,
  gone:
    row.gone_answer === null || row.gone_since === null
      ? O.none
      : O.some({ answer: row.gone_answer, since: row.gone_since }),
})

const readRounds = async (db: Db): Promise<LinkRounds> =>
  roundsOf(await db.selectFrom('link_round').selectAll().executeTakeFirst())

/** Stores the state that follows the one before, and returns whether that one was stored. */
const replaceRounds = async (db: Db, next: LinkRounds): Promise<boolean> => {
  const cells = cellsOf(next)
  if (next.step === 1) {
    const inserted = await db
      .insertInto('link_round')
      .values({ one: 1, ...cells })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n
  }
  const before = next.step - 1
  const updated = await db.updateTable('link_round').set(cells).where('step', '=', before).executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** The findings that are shown. */
const shown = (db: Db) =>
  db
    .selectFrom('link_finding')
    .selectAll()
    .where('round', '=', (of) => of.selectFrom('link_round').select('shown'))

/** Deletes findings of rounds that neither run nor are shown, at most this number. */
const purge = async (db: Db, most: number): Promise<Deleted> => {
  const { number, shown: kept, position } = await readRounds(db)
  const stay = O.isSome(position) ? [kept, number] : [kept]
  const gone = await db
    .selectFrom('link_finding')
    .select(['round', 'item_id', 'field'])
    .where('round', 'not in', stay)
    .limit(most)
    .execute()
  for (const { round, item_id, field } of gone)
    await db
      .deleteFrom('link_finding')
      .where('round', '=', round)
      .where('item_id', '=', item_id)
      .where('field', '=', field)
      .execute()
  return { gone: gone.length, isOver: gone.length < most }
}

/** Findings that one purge deletes at most. */
const PURGE = 1000

/** What the checks of links found (C17). No cache holds it, so all writes are quiet. */
export const makeLinkFindings = (database: Database): LinkFindings => ({
  rounds: () => database.read(readRounds),

  advance: (next, found) => async () => {
    const written = await database.write(async (db): Promise<E.Either<'overtaken', true>> => {
      if (!(await replaceRounds(db, next))) return E.left('overtaken')
      for (const chunk of insertChunks(found.map((finding) => rowOf(next.number, finding))))
        await db
          .insertInto('link_finding')
          .values(chunk)
          .onConflict((conflict) =>
            conflict.columns(['round', 'item_id', 'field']).doUpdateSet(({ ref }) => ({
              content_type: ref('excluded.content_type'),
              url: ref('excluded.url'),
              host: ref('excluded.host'),
              reached: ref('excluded.reached'),
              answer: ref('excluded.answer'),
              at: ref('excluded.at'),
              verdict: ref('excluded.verdict'),
              gone_answer: ref('excluded.gone_answer'),
              gone_since: ref('excluded.gone_since'),
            })),
          )
          .execute()
      return E.right(true)
    }, QUIET)()
    if (E.isRight(written)) return written
    return written.left === 'overtaken' ? E.right(false) : E.left(written.left)
  },

  ofItems: (ids) =>
    database.read(async (db) => {
      const rows = await findInLists([...new Set(ids)], (list) =>
        shown(db).where('item_id', 'in', list).execute(),
      )
      return rows.map(findingOf)
    }),

  page: ({ verdict, after, most }) =>
    database.read(async (db) => {
      let query = shown(db)
      if (O.isSome(verdict)) query = query.where('verdict', '=', sql.lit(verdict.value))
      if (O.isSome(after)) {
        const { itemId, field } = after.value
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('item_id', 'field'), '>', tuple(itemId, field)),
        )
      }
      const rows = await query.orderBy('item_id').orderBy('field').limit(most).execute()
      return rows.map(findingOf)
    }),

  hosts: (round) =>
    database.read(async (db) => {
      const byHost = db
        .selectFrom('link_finding')
        .select('host')
        .select(({ fn }) => fn.max('reached').as('reached'))
        .where('round', '=', round)
        .groupBy('host')
      const { hosts, reached } = await db
        .selectFrom(byHost.as('by_host'))
        .select(({ fn }) => fn.countAll<number | string>().as('hosts'))
        .select(sql<number | string>`coalesce(sum(reached), 0)`.as('reached'))
        .executeTakeFirstOrThrow()
      // PostgreSQL's driver returns counts and sums as text.
      return { hosts: Number(hosts), unreached: Number(hosts) - Number(reached) }
    }, UNBOUNDED),

  counts: (since) =>
    database.read(async (db) => {
      const rows = await db
        .selectFrom('link_finding')
        .select('verdict')
        .select(({ fn }) => fn.countAll<number | string>().as('links'))
        .where('round', '=', (of) => of.selectFrom('link_round').select('shown'))
        .where('at', '>=', since)
        .groupBy('verdict')
        .execute()
      const counts = rows.map(({ verdict, links }) => [verdict, Number(links)])
      return { alive: 0, unknown: 0, dead: 0, ...Object.fromEntries(counts) }
    }, UNBOUNDED),

  purge: () => purging(database, (db) => inSteps(PURGE, (most) => purge(db, most)), QUIET),
})
