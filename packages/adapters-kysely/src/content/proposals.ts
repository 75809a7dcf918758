import type { FeedItem, Instant, ItemId, LibraryItem } from '@almoner/domain'
import type { Actor, TimedAct } from '@almoner/domain/access'
import {
  failureChanges,
  type ItemNotFound,
  PROPOSAL_NOT_FOUND,
  type PreconditionFailed,
  type Proposal,
  type ProposalExists,
  type ProposalId,
  type ProposalName,
  type ProposalNotFound,
  proposalChange,
  proposalExists,
  reopened,
  versionRefusal,
  writtenProposal,
} from '@almoner/domain/content'
import { type ContentType, type Fields, itemPart } from '@almoner/domain/history'
import type { MediaName } from '@almoner/domain/media'
import type { ImageMissing, NothingDone, Proposals } from '@almoner/domain/ports'
import { latestNoted } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ExpressionBuilder } from 'kysely'
import { keepReceipt, makeHoldReceipt } from '../access/tokens.ts'
import { columnList, type Database, type Db, queryCache } from '../database/database.ts'
import { paddedInList, quietly } from '../database/writes.ts'
import { recordAct } from '../history.ts'
import { addHolds, holdAside, letGo } from '../media.ts'
import type { ProposalRow } from '../schema/proposal.table.ts'
import type { Tables } from '../schema/schema.ts'
import { feedTable, libraryTable } from './tables.ts'

/** Closed proposals that one purge forgets at most. */
const PURGE = 200

/** Returns the holder of the images of a proposal. */
const holderOf = (id: ProposalId): string => `proposal ${id}`

const actorOf = ({ actor_kind, actor_id }: ProposalRow): O.Option<Actor> =>
  actor_kind === null ? O.none : O.some({ kind: actor_kind, id: actor_id ?? '' })

const proposalOf = (row: ProposalRow): Proposal => ({
  ...{ id: row.id, contentType: row.content_type, itemId: row.item_id, baseRevision: row.base_revision },
  base: JSON.parse(row.base) as Fields,
  state: JSON.parse(row.state) as Fields,
  by: actorOf(row),
  at: row.proposed_at,
  publishAt: O.fromNullable(row.publish_at),
  failure:
    row.failed_at === null
      ? O.none
      : O.some({ at: row.failed_at, missing: JSON.parse(row.missing ?? '[]') as ReadonlyArray<string> }),
})

const rowOf = (proposal: Proposal, images: ReadonlyArray<MediaName>): ProposalRow => {
  const by = O.toUndefined(proposal.by)
  const failure = O.toUndefined(proposal.failure)
  return {
    ...{ id: proposal.id, content_type: proposal.contentType, item_id: proposal.itemId },
    base_revision: proposal.baseRevision,
    base: JSON.stringify(proposal.base),
    state: JSON.stringify(proposal.state),
    images: JSON.stringify(images),
    actor_kind: by?.kind ?? null,
    actor_id: by?.id ?? null,
    proposed_at: proposal.at,
    publish_at: O.toNullable(proposal.publishAt),
    failed_at: failure?.at ?? null,
    missing: failure === undefined ? null : JSON.stringify(failure.missing),
    closed_at: null,
  }
}

/**
 * Closes an open proposal, inside the transaction that carries it out. Returns it, or undefined if it was not open.
 * @param publishAt the moment that it must have, if that matters
 */
export const closeProposal = async (
  db: Db,
  { contentType, itemId, id }: ProposalName,
  at: Instant,
  publishAt?: Proposal['publishAt'],
): Promise<ProposalRow | undefined> => {
  const open = db
    .updateTable('proposal')
    .set({ closed_at: at })
    .where('id', '=', id)
    .where('content_type', '=', contentType)
    .where('item_id', '=', itemId)
    .where('closed_at', 'is', null)
  const seen =
    publishAt === undefined ? open : open.where('publish_at', 'is not distinct from', O.toNullable(publishAt))
  return seen.returningAll().executeTakeFirst()
}

/** Returns the proposals that name a person by this number as their author, closed ones too (L2). */
export const proposalsOf = async (db: Db, number: number | undefined): Promise<ReadonlyArray<Proposal>> => {
  if (number === undefined) return []
  const own = db.selectFrom('proposal').selectAll().where('actor_kind', '=', 'person')
  const rows = own.where('actor_id', '=', String(number)).orderBy('proposed_at').orderBy('id')
  return (await rows.execute()).map(proposalOf)
}

/** Lets the imported proposals hold their images. */
export const holdImported = async (db: Db): Promise<void> => {
  const rows = await db.selectFrom('proposal').select(['id', 'images']).execute()
  for (const { id, images } of rows)
    await addHolds(db, holderOf(id), JSON.parse(images) as ReadonlyArray<MediaName>)
}

const lockOpen = async (db: Db, type: ContentType, itemId: ItemId): Promise<ProposalRow | undefined> =>
  db
    .selectFrom('proposal')
    .selectAll()
    .where('content_type', '=', type)
    .where('item_id', '=', itemId)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

type PutError = ItemNotFound | ImageMissing | PreconditionFailed | ProposalExists | ProposalNotFound

/** Makes the function that finds an item, with its fields, and locks it. */
const makeLockItem = (locks: string) => {
  const run = queryCache()
  const tables = { library: libraryTable, feed: feedTable }
  return async (
    db: Db,
    type: ContentType,
    id: ItemId,
  ): Promise<{ readonly revision: number; readonly fields: Fields } | undefined> => {
    const { table, columns, fromRow, fieldsOf } = tables[type] as typeof libraryTable
    const [row] = await run<Parameters<typeof fromRow>[0]>(
      db,
      `select ${columnList(columns)} from ${table} where id = ?${locks}`,
      [id],
    )
    const item: LibraryItem | FeedItem | undefined = row && fromRow(row)
    return item && { revision: item.revision, fields: fieldsOf(item as LibraryItem) }
  }
}

const subjectOf = ({ contentType, itemId }: Pick<ProposalName, 'contentType' | 'itemId'>) => ({
  ...{ kind: contentType, id: itemId },
})

/**
 * Proposals for Live items (C16).
 * @param isActorThere returns whether the one who proposes is still there, and stays so until the transaction ends
 */
export const makeProposals = (
  database: Database,
  isActorThere: (db: Db, actor: Actor) => Promise<boolean>,
): Proposals => {
  const lockItem = makeLockItem(database.dialect.locksRows ? ' for update' : '')
  const holdReceipt = makeHoldReceipt()
  return {
    all: (most) =>
      database.read(async (db) => {
        const open = db.selectFrom('proposal').selectAll().where('closed_at', 'is', null)
        return (await open.orderBy('proposed_at').orderBy('id').limit(most).execute()).map(proposalOf)
      }),

    find: (contentType, itemId) =>
      database.read(async (db) => {
        const row = await db
          .selectFrom('proposal')
          .selectAll()
          .where('content_type', '=', contentType)
          .where('item_id', '=', itemId)
          .where('closed_at', 'is', null)
          .executeTakeFirst()
        return O.map(proposalOf)(O.fromNullable(row))
      }),

    put: (write, receipt) =>
      database.write(
        async (db): Promise<E.Either<PutError | NothingDone, Proposal>> => {
          const { proposal, replaces, act, changes } = write
          const { contentType, itemId } = proposal
          const held = await holdReceipt(db, receipt)
          const isThere = await isActorThere(db, act.actor)
          const item = await lockItem(db, contentType, itemId)
          const row = await lockOpen(db, contentType, itemId)
          const open = row && proposalOf(row)
          const refused = versionRefusal(proposal, replaces, open, item)
          if (refused !== undefined) return E.left(refused)
          if (open !== undefined) await closeProposal(db, open, act.at)
          const written = writtenProposal(proposal, act, open, isThere)
          const images = await holdAside(db, holderOf(proposal.id), write)
          if (E.isLeft(images)) return images
          await db.insertInto('proposal').values(rowOf(written, images.right)).execute()
          await recordAct(db, act, subjectOf(proposal), changes)
          return keepReceipt(db, held, written)
        },
        { notify: [itemPart(write.proposal.contentType, write.proposal.itemId)] },
      ),

    discard: (proposal, act) =>
      database.write(
        async (db): Promise<E.Either<ProposalNotFound, Proposal>> => {
          const closed = await closeProposal(db, proposal, act.at)
          if (closed === undefined) return E.left(PROPOSAL_NOT_FOUND)
          await recordAct(db, act, subjectOf(proposal), [proposalChange(proposal.id, null)])
          return E.right(proposalOf(closed))
        },
        { notify: [itemPart(proposal.contentType, proposal.itemId)] },
      ),

    putBack: (name, act, closedSince, receipt) =>
      database.write(
        async (db): Promise<E.Either<ProposalExists | ProposalNotFound | NothingDone, Proposal>> => {
          const held = await holdReceipt(db, receipt)
          const { contentType, itemId, id } = name
          const item = await lockItem(db, contentType, itemId)
          const open = await lockOpen(db, contentType, itemId)
          if (open !== undefined) return E.left(proposalExists(proposalOf(open)))
          const closed = await db
            .selectFrom('proposal')
            .selectAll()
            .where('id', '=', id)
            .where('content_type', '=', contentType)
            .where('item_id', '=', itemId)
            .where('closed_at', '>=', closedSince)
            .where('closed_at', '<=', latestNoted(act.at))
            .forUpdate()
            .executeTakeFirst()
          if (item === undefined || closed === undefined) return E.left(PROPOSAL_NOT_FOUND)
          const proposal = reopened(proposalOf(closed), item, act.at)
          const { base_revision, publish_at } = rowOf(proposal, [])
          await db
            .updateTable('proposal')
            .set({ base_revision, publish_at, closed_at: null })
            .where('id', '=', id)
            .execute()
          await recordAct(db, act, subjectOf(name), [proposalChange(null, id)])
          return keepReceipt(db, held, proposal)
        },
        { notify: [itemPart(name.contentType, name.itemId)] },
      ),

    upcoming: (most) =>
      database.read(async (db) => {
        const rows = await db
          .selectFrom('proposal')
          .selectAll()
          .where('publish_at', 'is not', null)
          .where('closed_at', 'is', null)
          .orderBy('publish_at')
          .orderBy('id')
          .limit(most)
          .execute()
        return rows.map(proposalOf)
      }),

    fail: (name, missing, act: TimedAct) =>
      database.write(
        async (db): Promise<E.Either<never, boolean>> => {
          const open = await lockOpen(db, name.contentType, name.itemId)
          if (open?.id !== name.id || open.publish_at === null) return E.right(false)
          await db
            .updateTable('proposal')
            .set({ publish_at: null, failed_at: act.at, missing: JSON.stringify(missing) })
            .where('id', '=', name.id)
            .execute()
          await recordAct(db, act, subjectOf(name), failureChanges(proposalOf(open), missing))
          return E.right(true)
        },
        { notify: [itemPart(name.contentType, name.itemId)] },
      ),

    purge: (closedBy, now) =>
      quietly(database, async (db) => {
        const isOver = ({ eb, or }: ExpressionBuilder<Tables, 'proposal'>) =>
          or([eb('closed_at', '<=', closedBy), eb('closed_at', '>', latestNoted(now))])
        const old = await db
          .selectFrom('proposal')
          .select('id')
          .where(isOver)
          .orderBy('closed_at')
          .limit(PURGE)
          .execute()
        if (old.length === 0) return { proposals: 0, orphans: [] }
        const ids = paddedInList(old.map(({ id }) => id))
        const gone = await db
          .deleteFrom('proposal')
          .where('id', 'in', ids)
          .where(isOver)
          .returning('id')
          .execute()
        if (gone.length === 0) return { proposals: 0, orphans: [] }
        const orphans = await letGo(
          db,
          gone.map(({ id }) => holderOf(id)),
        )
        return { proposals: gone.length, orphans }
      }),
  }
}
