import type { FeedItem, Instant, ItemId } from '@almoner/domain'
import type { Author } from '@almoner/domain/content'
import * as O from 'fp-ts/lib/Option.js'
import type { Db } from '../../database/database.ts'
import { compiledQuery, param } from '../../database/query.ts'
import type { FeedAuthorRow } from '../../schema/author.table.ts'

/** Makes the function that records the author of a new post (L3). */
export const makeRecordAuthor = () => {
  const insert = compiledQuery((db) =>
    db
      .insertInto('feed_author')
      .values({
        item_id: param<ItemId>(0),
        client_id: param<Author['clientId']>(1),
        email: param<FeedAuthorRow['email']>(2),
        posted_at: param<Instant>(3),
      })
      .compile(),
  )
  return async (db: Db, { id, createdAt }: FeedItem, { clientId, email }: Author): Promise<void> => {
    await insert(db, [id, clientId, O.toNullable(email), createdAt])
  }
}
